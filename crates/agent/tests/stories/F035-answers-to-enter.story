# F035  the question whether to enter: whatever is not a yes is a no

user> go
model> EnterPlanMode
ask> enter plan mode
answer> misfit
tool> EnterPlanMode failed The user does not want plan mode for this
model> EnterPlanMode
ask> enter plan mode
answer> dismiss
tool> EnterPlanMode failed
model> EnterPlanMode
ask> enter plan mode
user> <ctrl-c>
tool> EnterPlanMode failed Interrupted
end> interrupted
then mode default
