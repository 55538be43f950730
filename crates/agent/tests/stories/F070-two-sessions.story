# F070  two sessions in one project at once, with the same luck: two plans, neither knows the other's

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = plan one
tool> Write ok
model> ExitPlanMode
ask> plan 1 … plan one
answer> keep planning
tool> ExitPlanMode failed
model> text Yes.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
another> mode plan
user> go
note> plan_mode full no plan
model> Write {plan_file} = plan two
tool> Write ok
model> ExitPlanMode
ask> plan 1 … plan two
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok … plan two
note> plan_mode_exit approved default
model> text Done.
then the plan file is another
then request last lacks plan one
