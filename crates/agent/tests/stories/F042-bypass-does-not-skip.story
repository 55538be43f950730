# F042  neither bypass nor an allow rule answers the dialog; the mode is the one chosen

given bypass allowed
given mode bypassPermissions
given allow ExitPlanMode
given allow EnterPlanMode

user> go
model> EnterPlanMode
ask> enter plan mode
answer> yes
mode> bypassPermissions -> plan by model
tool> EnterPlanMode ok
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> ExitPlanMode
ask> plan 1 (bypassPermissions, acceptEdits, default, edit, keep)
answer> approve acceptEdits
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved acceptEdits
model> text Done.
then mode acceptEdits
