# another model plans: it is asked while the mode is plan, the user hears of each switch, and what only one
# model understands stays in the log for the time when that one is asked again

given file src/a.txt = one

user> hello
model thinks main-thought> text Hello.
user> /plan change a
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
said> model: script:…/plan.json
model plan thinks plan-thought> Read src/a.txt
tool> Read ok
model plan> Write {plan_file} = 1. Change a.
tool> Write ok
model plan> text It is written.
reminded> Your turn ended
model plan> text Soon.
said> No plan was submitted
user> /model
said> model: script:…/plan.json@… while planning: script:…/plan.json@… otherwise: script:…/main.json@
user> /status
said> session … mode plan model script:…/main.json@… planning script:…/plan.json@
# /model sets the one for the work; planning goes on with its own
user> /model other
said> model: script:…/plan.json@… while planning: script:…/plan.json@… otherwise: script:…/other.json@
user> submit it
model plan> ExitPlanMode
ask> plan 1
answer> approve acceptEdits
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved acceptEdits
said> model: script:…/other.json
model other> Edit src/a.txt: one -> two
tool> Edit ok
model other> text Done.
then file src/a.txt = two
then log has 1 assistant blocks.0.value.thought=main-thought, blocks.0.provider~main.json
then log has 1 assistant blocks.0.value.thought=plan-thought, blocks.0.provider~plan.json
