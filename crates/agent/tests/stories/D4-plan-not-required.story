# D4  with plan.required = false leaving without a plan is asked, and its result is short

given mode plan
given settings {"plan": {"required": false}}

user> go
note> plan_mode full no plan
model> ExitPlanMode
ask> plan 1 (acceptEdits, default, edit, keep)
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok User has approved exiting plan mode. You can now proceed.
note> plan_mode_exit approved default
model> text Working.
then mode default
