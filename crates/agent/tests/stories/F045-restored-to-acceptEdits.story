# F045  from acceptEdits: approved as chosen, restored by a plain approval and by /plan off, cycled by the key

given settings {"plan": {"useAutoMode": true}}
given mode acceptEdits

user> hello
model> text Hello.
user> /plan a
mode> acceptEdits -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> Write {plan_file} = plan a
tool> Write ok
model> ExitPlanMode
ask> plan 1 (acceptEdits, default, edit, keep) plan a
answer> approve
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved acceptEdits
model> text Done.
then mode acceptEdits
user> /plan b
mode> acceptEdits -> plan by command
said> Enabled plan mode
note> plan_mode_reentry
note> plan_mode full plan exists
model> text Yes.
said> No plan was submitted
user> /plan off
mode> plan -> acceptEdits by command
said> Disabled plan mode
then mode acceptEdits
user> /plan c
mode> acceptEdits -> plan by command
said> Enabled plan mode
note> plan_mode_reentry
note> plan_mode full plan exists
model> text Yes.
said> No plan was submitted
user> <shift+tab>
mode> plan -> default by cycle
user> <ctrl-c>
user> /mode acceptEdits
mode> default -> acceptEdits by command
said> permission mode: acceptEdits
user> /plan d
mode> acceptEdits -> plan by command
said> Enabled plan mode
note> plan_mode_reentry
note> plan_mode full plan exists
model> Write {plan_file} = plan d
tool> Write ok
model> ExitPlanMode
ask> plan 2 (acceptEdits, default, edit, keep) plan d
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved default
model> text Done.
then mode default
then before none
