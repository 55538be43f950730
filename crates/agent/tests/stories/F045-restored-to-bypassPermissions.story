# F045  from bypassPermissions: approved as chosen, restored by a plain approval and by /plan off, cycled by the key

given settings {"plan": {"useAutoMode": true}}
given bypass allowed
given mode bypassPermissions

user> hello
model> text Hello.
user> /plan a
mode> bypassPermissions -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> Write {plan_file} = plan a
tool> Write ok
model> ExitPlanMode
ask> plan 1 (bypassPermissions, acceptEdits, default, edit, keep) plan a
answer> approve
mode> plan -> bypassPermissions by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved bypassPermissions
model> text Done.
then mode bypassPermissions
user> /plan b
mode> bypassPermissions -> plan by command
said> Enabled plan mode
note> plan_mode_reentry
note> plan_mode full plan exists
model> text Yes.
said> No plan was submitted
user> /plan off
mode> plan -> bypassPermissions by command
said> Disabled plan mode
then mode bypassPermissions
user> /plan c
mode> bypassPermissions -> plan by command
said> Enabled plan mode
note> plan_mode_reentry
note> plan_mode full plan exists
model> text Yes.
said> No plan was submitted
user> <shift+tab>
mode> plan -> bypassPermissions by cycle
user> <ctrl-c>
then mode bypassPermissions
user> /mode bypassPermissions
said> permission mode: bypassPermissions
user> /plan d
mode> bypassPermissions -> plan by command
said> Enabled plan mode
note> plan_mode_reentry
note> plan_mode full plan exists
model> Write {plan_file} = plan d
tool> Write ok
model> ExitPlanMode
ask> plan 2 (bypassPermissions, acceptEdits, default, edit, keep) plan d
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved default
model> text Done.
then mode default
then before none
