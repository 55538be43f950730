# F057  the plan's path outlives compaction and resume; a fork's new path is told at once

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> text Written.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
user> /compact
model> text SUMMARY
note> plan_file_reference draft
compacted> manual
reopen>
then plan files named 1
reopen> fork
then plan files named 2
user> submit it
note> plan_mode full plan exists
model> ExitPlanMode
ask> plan 1 … the plan
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok … Your plan has been saved to: {plan_file} …
note> plan_mode_exit approved default
model> text Done.
then request last contains Plan file: {plan_file}
