# F037  feedback does not skip the gate: edits stay refused, the revised plan is shown before it counts

given file src/a.txt = one
given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = plan one
tool> Write ok
model> ExitPlanMode
ask> plan 1 … plan one
answer> keep planning: make it two
tool> ExitPlanMode failed
model> Edit {plan_file}: one -> two ∥ Edit src/a.txt: one -> two
tool> Edit ok
tool> Edit refused plan mode is active
model> ExitPlanMode
ask> plan 2 (acceptEdits, default, edit, keep) plan two changed: … -plan one … +plan two
answer> approve acceptEdits
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok … plan two
note> plan_mode_exit approved acceptEdits
model> text Done.
then nothing changed
