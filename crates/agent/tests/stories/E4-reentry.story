# E4  planning again with a plan from before: the re-entry note comes first

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = plan one
tool> Write ok
model> ExitPlanMode
ask> plan 1 … plan one
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved default
model> text Done.
user> /plan another thing
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode_reentry
note> plan_mode full plan exists
model> Read {plan_file}
tool> Read ok … plan one
model> text Thinking.
said> No plan was submitted
then request last contains a plan from before is at {plan_file}
then plan files named 1
then mode plan
