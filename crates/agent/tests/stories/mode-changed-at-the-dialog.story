# the user cycles away while the approval is open: whatever is answered, nothing is restored, and the model
# is told which mode is on

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> ExitPlanMode
ask> plan 1
user> <shift+tab>
mode> plan -> default by cycle
answer> approve acceptEdits
tool> ExitPlanMode failed Plan mode was left by the user before the plan was decided: the mode is now `default`
note> plan_mode_exit unapproved default
model> text As you like.
then mode default
then log lacks plan-decision decision=approved
