# F055  what is shown is the file at the moment of the call, every time

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = v1
tool> Write ok
model> Edit {plan_file}: v1 -> v2
tool> Edit ok
model> Write {plan_file} = v3
tool> Write ok
model> ExitPlanMode
ask> plan 1 (acceptEdits, default, edit, keep) v3
answer> keep planning: more
tool> ExitPlanMode failed
model> Edit {plan_file}: v3 -> v4
tool> Edit ok
model> ExitPlanMode
ask> plan 2 (acceptEdits, default, edit, keep) v4 changed: … -v3 … +v4
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok … v4
note> plan_mode_exit approved default
model> text Done.
user> /plan next
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode_reentry
note> plan_mode full plan exists
model> Write {plan_file} = v5
tool> Write ok
model> ExitPlanMode
ask> plan 3 (acceptEdits, default, edit, keep) v5
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok … v5
note> plan_mode_exit approved default
model> text Done.
then log has plan-submitted revision=1, text=v3
then log has plan-submitted revision=2, text=v4
then log has plan-submitted revision=3, text=v5
