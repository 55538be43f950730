# F050  every option does its own row: the conversation and the session stay in all of them

given mode plan

user> remember the word albatross
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> ExitPlanMode
ask> plan 1
answer> edit
ask> editor {plan_file}
answer> runs: true
ask> plan 1 … again: The plan is unchanged.
answer> keep planning
tool> ExitPlanMode failed
model> ExitPlanMode
ask> plan 2
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved default
model> text Done.
then request last contains albatross
then log lacks cleared
then mode default
user> /plan more
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode_reentry
note> plan_mode full plan exists
model> ExitPlanMode
ask> plan 3
answer> approve acceptEdits
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved acceptEdits
model> text Done.
then request last contains albatross
then log lacks cleared
then plan files named 1
then mode acceptEdits
