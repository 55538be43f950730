# I1  fork on resume with an approval pending: it waits in the fork too, about the fork's own file

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = shared plan
tool> Write ok
model> ExitPlanMode
ask> plan 1
kill>
reopen> fork
ask> plan 2 … shared plan
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok … Your plan has been saved to: {plan_file} …
note> plan_mode_exit approved default
model> text Done.
then plan files named 2
then plan = shared plan
then file {plan_file 1} = shared plan
then mode default
