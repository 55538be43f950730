# I1  compact with an exit note due: it still comes, once; the approved plan is labelled as such

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> ExitPlanMode
ask> plan 1
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved default
model> text Working.
user> /plan more
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode_reentry
note> plan_mode full plan exists
model> text Looking.
said> No plan was submitted
user> /plan off
mode> plan -> default by command
said> Disabled plan mode
user> /compact
model> text SUMMARY
note> plan_file_reference approved
compacted> manual
user> go on
note> plan_mode_exit unapproved default
model> text Going on.
then request last contains State: approved.
then mode default
