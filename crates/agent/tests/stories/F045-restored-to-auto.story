# F045  from auto: approved as chosen, restored by a plain approval and by /plan off, cycled by the key

given settings {"plan": {"useAutoMode": true}}
given auto
given mode auto

user> hello
model> text Hello.
user> /plan a
mode> auto -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> Write {plan_file} = plan a
tool> Write ok
model> ExitPlanMode
ask> plan 1 (auto, acceptEdits, default, edit, keep) plan a
answer> approve
mode> plan -> auto by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved auto
model> text Done.
then mode auto
user> /plan b
mode> auto -> plan by command
said> Enabled plan mode
note> plan_mode_reentry
note> plan_mode full plan exists
model> text Yes.
said> No plan was submitted
user> /plan off
mode> plan -> auto by command
said> Disabled plan mode
then mode auto
user> /plan c
mode> auto -> plan by command
said> Enabled plan mode
note> plan_mode_reentry
note> plan_mode full plan exists
model> text Yes.
said> No plan was submitted
user> <shift+tab>
mode> plan -> auto by cycle
user> <ctrl-c>
then mode auto
user> /mode auto
said> permission mode: auto
user> /plan d
mode> auto -> plan by command
said> Enabled plan mode
note> plan_mode_reentry
note> plan_mode full plan exists
model> Write {plan_file} = plan d
tool> Write ok
model> ExitPlanMode
ask> plan 2 (auto, acceptEdits, default, edit, keep) plan d
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok
note> auto_mode_exit
note> plan_mode_exit approved default
model> text Done.
then mode default
then before none
