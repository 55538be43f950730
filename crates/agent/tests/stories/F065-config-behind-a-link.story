# F065, F067  the config home is a link: the plan is written at its real place, under the path the note names

given config behind a link
given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = plan A
tool> Write ok
model> Edit {plan_file}: A -> B
tool> Edit ok
model> text Yes.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
then request 1 contains Plan file: {plan_file}
then plan = plan B
reopen>
user> again
model> Edit {plan_file}: B -> C
tool> Edit ok
model> ExitPlanMode
ask> plan 1 … plan C
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved default
model> text Done.
