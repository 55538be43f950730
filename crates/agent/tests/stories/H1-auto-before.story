# H1  from auto: auto stays in use while planning, and is offered first to go back to

given auto
given mode auto

user> hello
model> text Hello.
user> /plan go
mode> auto -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> ExitPlanMode
ask> plan 1 (auto, acceptEdits, default, edit, keep) the plan
answer> approve auto
mode> plan -> auto by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved auto
model> text Done.
then log has permission-mode to=plan, pre_plan_mode=auto, auto_active=true
then log lacks attachment attachment.type=auto_mode_exit
then mode auto
