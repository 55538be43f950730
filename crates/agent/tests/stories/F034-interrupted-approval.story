# F034  interrupting the approval, or killing the program with it open, is no approval

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> ExitPlanMode
ask> plan 1
user> <ctrl-c>
tool> ExitPlanMode failed Interrupted
end> interrupted
then mode plan
then log has plan-decision decision=withdrawn
user> wait
model> text I wait.
said> No plan was submitted
user> again
model> ExitPlanMode
ask> plan 2 … the plan
kill>
reopen>
ask> plan 2 … the plan
then mode plan
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved default
model> text Done.
then log has 1 attachment attachment.type=plan_mode_exit
