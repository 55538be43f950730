# An approval with a fresh context: the work begins from the plan alone

given file src/a.txt = one
given mode plan

user> a long story of words
note> plan_mode full no plan
model> Read src/a.txt
tool> Read ok … one
model> Write {plan_file} = # Plan\n1. make it two\n
tool> Write ok
model> ExitPlanMode
ask> plan 1
answer> approve acceptEdits context: fresh notes: mind the callers
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok User has approved your plan.
said> A fresh conversation begins, from the approved plan alone.
note> plan_mode_exit approved acceptEdits
model> Edit src/a.txt: one -> two
tool> Edit failed … has not been read
model> Read src/a.txt
tool> Read ok … one
model> Edit src/a.txt: one -> two
tool> Edit ok
model> text Done.
then mode acceptEdits
then before none
then file src/a.txt = two
then request 4 contains User has approved your plan.
then request 4 contains 1. make it two
then request 4 contains mind the callers
then request 4 contains the mode is now `acceptEdits`
then request 4 lacks a long story of words
then request 4 lacks plan_mode full
then log has 1 plan-decision decision=approved, handoff.context=fresh
then log has 1 handed-over
# The plan is the session's plan still.
user> /plan
mode> acceptEdits -> plan by command
said> Enabled plan mode
user> next
note> plan_mode_reentry
note> plan_mode full plan exists
model> text Reading.
said> No plan was submitted
then plan files named 1
