# F035  dismissed, misfit, stray and late answers, and the end of input, never approve

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> ExitPlanMode
ask> plan 1
stray> approve acceptEdits
then mode plan
answer> dismiss
tool> ExitPlanMode failed The user wants to keep planning
model> ExitPlanMode
ask> plan 2
late> approve acceptEdits
then mode plan
answer> misfit
tool> ExitPlanMode failed The user wants to keep planning
model> ExitPlanMode
ask> plan 3
answer> approve bypassPermissions
ask> plan 3 … again: That mode is not on offer here.
answer> approve plan
ask> plan 3 … again: That mode is not on offer here.
user> <end of input>
tool> ExitPlanMode failed The user wants to keep planning
end> interrupted
then mode plan
then log has 3 plan-decision decision=rejected
then log has plan-decision by=end of input
