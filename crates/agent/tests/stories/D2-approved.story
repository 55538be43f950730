# D2  approved: the mode is as chosen, the result carries the plan, the exit note comes once

given file src/a.txt = one
given mode plan

user> go
note> plan_mode full no plan
model> Read src/a.txt
tool> Read ok … one
model> Write {plan_file} = # Plan\n1. make it two\n
tool> Write ok
model> ExitPlanMode
ask> plan 1 (acceptEdits, default, edit, keep) # Plan 1. make it two
answer> approve acceptEdits
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok User has approved your plan. You can now start coding. … Your plan has been saved to: {plan_file} … ## Approved Plan: # Plan 1. make it two
note> plan_mode_exit approved acceptEdits
model> Edit src/a.txt: one -> two
tool> Edit ok
model> text Done.
user> thanks
model> text You are welcome.
then mode acceptEdits
then before none
then file src/a.txt = two
then request 4 contains ## Exited Plan Mode
then log has 1 attachment attachment.type=plan_mode_exit
then log has plan-submitted revision=1, path={plan_file}
then log has plan-decision revision=1, decision=approved, choice=approve:acceptEdits, edited=false, by=user
then log has permission-mode from=plan, to=acceptEdits, cause=approval
