# F062  what was read while planning can be edited after; a plan edited by the user is told, and can be edited

given file src/a.txt = one
given mode plan

user> go
note> plan_mode full no plan
model> Read src/a.txt ∥ Write {plan_file} = plan A
tool> Read ok
tool> Write ok
model> ExitPlanMode
ask> plan 1
answer> edit
ask> editor {plan_file}
answer> runs: sed -i s/A/B/ "$1"
ask> plan 1 … plan B again: The plan was edited.
answer> keep planning: see my change
tool> ExitPlanMode failed … see my change … The user edited the plan file. It now reads: plan B
model> Edit {plan_file}: plan B -> plan C
tool> Edit ok
model> ExitPlanMode
ask> plan 2 … plan C
answer> approve acceptEdits
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved acceptEdits
model> Edit src/a.txt: one -> two
tool> Edit ok
model> text Done.
then file src/a.txt = two
