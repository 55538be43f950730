# F045  from default: approved as chosen, restored by a plain approval and by /plan off, cycled by the key

given settings {"plan": {"useAutoMode": true}}


user> hello
model> text Hello.
user> /plan a
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> Write {plan_file} = plan a
tool> Write ok
model> ExitPlanMode
ask> plan 1 (acceptEdits, default, edit, keep) plan a
answer> approve
mode> plan -> default by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved default
model> text Done.
then mode default
user> /plan b
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode_reentry
note> plan_mode full plan exists
model> text Yes.
said> No plan was submitted
user> /plan off
mode> plan -> default by command
said> Disabled plan mode
then mode default
user> /plan c
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode_reentry
note> plan_mode full plan exists
model> text Yes.
said> No plan was submitted
user> <shift+tab>
mode> plan -> default by cycle
user> <ctrl-c>
