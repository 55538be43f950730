# I1  resume: plan file, mode, mode before, notes and waiting approval come back

given mode acceptEdits

user> /plan go
mode> acceptEdits -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> text Written.
reminded> Your turn ended
model> text Not done.
said> No plan was submitted
reopen>
then mode plan
then before acceptEdits
user> go on
model> ExitPlanMode
ask> plan 1 … the plan
kill>
reopen>
ask> plan 1 (acceptEdits, default, edit, keep) the plan
then mode plan
answer> approve
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok User has approved your plan
note> plan_mode_exit approved acceptEdits
model> text Working.
user> /plan again
mode> acceptEdits -> plan by command
said> Enabled plan mode
note> plan_mode_reentry
note> plan_mode full plan exists
model> text Looking.
said> No plan was submitted
user> /plan off
mode> plan -> acceptEdits by command
said> Disabled plan mode
reopen>
user> now
note> plan_mode_exit unapproved acceptEdits
model> text Working.
reopen>
user> and now
model> text Working still.
then plan files named 1
then mode acceptEdits
