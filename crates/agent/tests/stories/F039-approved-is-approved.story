# F039  after the approval mode, notes and gate agree from the very next call

given file src/a.txt = one
given mode plan

user> go
note> plan_mode full no plan
model> Read src/a.txt ∥ Write {plan_file} = the plan
tool> Read ok
tool> Write ok
model> ExitPlanMode
ask> plan 1
answer> approve acceptEdits
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved acceptEdits
model> Edit src/a.txt: one -> two
tool> Edit ok
model> text Done.
user> go
model> Edit src/a.txt: two -> three
tool> Edit ok
model> text Done.
then mode acceptEdits
then file src/a.txt = three
then log has 1 attachment attachment.type=plan_mode_exit
then log has 1 attachment attachment.type=plan_mode
