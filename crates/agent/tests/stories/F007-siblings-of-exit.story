# F007  ExitPlanMode is a boundary as well: what stands beside it does not run, approved or not

given file src/a.txt = one
given mode plan

user> go
note> plan_mode full no plan
model> Read src/a.txt ∥ Write {plan_file} = the plan
tool> Read ok
tool> Write ok
model> Bash touch x ∥ ExitPlanMode ∥ Edit src/a.txt: one -> two
tool> Bash refused Not run: ExitPlanMode stands alone
ask> plan 1
answer> approve acceptEdits
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok
tool> Edit refused Not run: ExitPlanMode stands alone
note> plan_mode_exit approved acceptEdits
model> text Done.
then nothing changed
