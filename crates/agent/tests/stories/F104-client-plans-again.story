# F104  A client's mode selector holds after an approval: planning again, the gate and the notes are back

given file src/a.txt = one
given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = plan A
tool> Write ok
model> ExitPlanMode
ask> plan 1 …
answer> approve acceptEdits
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved acceptEdits
model> text Done.
user> <client mode plan>
mode> acceptEdits -> plan by client
wish> done
user> next task
note> plan_mode_reentry
note> plan_mode full plan exists
model> Edit src/a.txt: one -> two
tool> Edit refused plan mode is active
model> text Refused.
said> No plan was submitted
then nothing changed
then mode plan
