# F047  the mode before is kept on every way in, and entering again while planning changes nothing

given bypass allowed
given mode bypassPermissions

user> hello
model> text Hello.
user> /plan
mode> bypassPermissions -> plan by command
said> Enabled plan mode
then before bypassPermissions
user> go
note> plan_mode full no plan
model> EnterPlanMode
tool> EnterPlanMode ok You are in plan mode already
model> text Yes.
said> No plan was submitted
user> /plan
said> Already in plan mode. No plan written yet.
user> /mode plan
said> permission mode: plan
then before bypassPermissions
user> go on
model> text Yes.
said> No plan was submitted
then log has 1 attachment
user> /plan off
mode> plan -> bypassPermissions by command
said> Disabled plan mode
user> enter
note> plan_mode_exit unapproved bypassPermissions
model> EnterPlanMode
ask> enter plan mode
answer> yes
mode> bypassPermissions -> plan by model
tool> EnterPlanMode ok
note> plan_mode full no plan
model> text Yes.
said> No plan was submitted
then before bypassPermissions
user> /mode bypassPermissions
mode> plan -> bypassPermissions by command
said> permission mode: bypassPermissions
user> <shift+tab>
mode> bypassPermissions -> default by cycle
user> <shift+tab>
mode> default -> acceptEdits by cycle
user> <shift+tab>
mode> acceptEdits -> plan by cycle
then before bypassPermissions
