# what an agent's command showed can be cited by the plan too: ids are the session's, not the agent's

given file build.sh = touch made
given mode plan
given settings {"plan": {"commands": "scratch"}}

user> go
note> plan_mode full no plan
model> Agent general-purpose: try it
general-purpose note> plan_mode full
general-purpose model> Bash sh build.sh
general-purpose tool> Bash ok … [evidence E1]
general-purpose model> text It builds (E1).
tool> Agent ok It builds (E1).
model> Bash sh build.sh
tool> Bash ok … [evidence E2]
model> text Seen.
said> No plan was submitted
then nothing changed
then log has 1 evidence id=1
then log has 1 evidence id=2
