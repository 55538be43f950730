# F054  the plan is edited in the dialog's editor: it is shown again, the model gets what was approved

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = plan A
tool> Write ok
model> ExitPlanMode
ask> plan 1 … plan A
answer> edit
ask> editor {plan_file}
answer> runs: sed -i s/A/B/ "$1"
ask> plan 1 … plan B again: The plan was edited.
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok … ## Approved Plan (edited by user): plan B
note> plan_mode_exit approved default
model> text Done.
then plan = plan B
