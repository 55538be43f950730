# F082  plan mode a second time, by the key: re-entry note, full note, and the gate holds

given file src/a.txt = one
given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = plan A
tool> Write ok
model> ExitPlanMode
ask> plan 1
answer> approve acceptEdits
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved acceptEdits
model> text Done.
user> <shift+tab>
mode> acceptEdits -> plan by cycle
user> next task
note> plan_mode_reentry
note> plan_mode full plan exists
model> Edit src/a.txt: one -> two
tool> Edit refused plan mode is active
model> text Refused.
said> No plan was submitted
then nothing changed
