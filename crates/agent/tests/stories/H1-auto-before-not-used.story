# H1  from auto with plan.useAutoMode = false: auto is off while planning, and its end is told

given auto
given mode auto
given settings {"plan": {"useAutoMode": false}}

user> hello
model> text Hello.
user> /plan go
mode> auto -> plan by command
said> Enabled plan mode
note> auto_mode_exit
note> plan_mode full no plan
model> text Looked.
said> No plan was submitted
then log has permission-mode to=plan, pre_plan_mode=auto, auto_active=false, auto_exit_note=true
user> /plan off
mode> plan -> auto by command
said> Disabled plan mode
then mode auto
