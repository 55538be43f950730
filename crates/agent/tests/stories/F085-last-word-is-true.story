# F085  the last word about the mode in a request is the true one, in either direction

user> code
model> text Yes.
user> /plan plan
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> Write {plan_file} = plan A
tool> Write ok
model> ExitPlanMode
ask> plan 1
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved default
model> text Coding.
user> go
model> text Coding.
then request last has You are planning now before ## Exited Plan Mode
user> /plan more
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode_reentry
note> plan_mode full plan exists
model> text Looking.
said> No plan was submitted
then request last has ## Exited Plan Mode before You are planning again
