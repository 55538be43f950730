# F3  a general-purpose agent started while planning cannot write; nor can its children

given file src/a.txt = one
given allow Edit(*)
given mode plan

user> go
note> plan_mode full no plan
model> Agent general-purpose: edit a.txt
general-purpose note> plan_mode full no plan
general-purpose model> Read src/a.txt ∥ Edit src/a.txt: one -> two ∥ Bash touch x
general-purpose tool> Read ok
general-purpose tool> Edit refused this agent is read-only
general-purpose tool> Bash refused this agent is read-only
general-purpose model> Agent general-purpose: edit it for me
general-purpose 2 note> plan_mode full no plan
general-purpose 2 model> Edit src/a.txt: one -> two ∥ Bash mkdir d
general-purpose 2 tool> Edit refused this agent is read-only
general-purpose 2 tool> Bash refused this agent is read-only
general-purpose 2 model> text I may not.
general-purpose tool> Agent ok I may not.
general-purpose model> text Neither of us may.
tool> Agent ok Neither of us may.
model> text Nobody may.
said> No plan was submitted
then nothing changed
then log has agent-started agent_type=general-purpose, read_only=true
