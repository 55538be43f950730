# H1  from bypassPermissions auto is not switched on

given auto
given bypass allowed
given mode bypassPermissions

user> /plan go
mode> bypassPermissions -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> text Looked.
said> No plan was submitted
then log has permission-mode to=plan, pre_plan_mode=bypassPermissions, auto_active=false
then before bypassPermissions
