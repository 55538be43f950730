# I1  compact: the plan travels along with its state; the mode stays; the next note is full and due at once

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> ExitPlanMode
ask> plan 1
answer> keep planning: smaller
tool> ExitPlanMode failed
model> text Yes.
reminded> Your turn ended
model> text Soon.
said> No plan was submitted
user> /compact keep the names
model> text SUMMARY: they want it smaller.
note> plan_file_reference draft
compacted> manual
then mode plan
then request last contains keep the names
user> go on
note> plan_mode full plan exists
model> text Going on.
said> No plan was submitted
then request last contains SUMMARY: they want it smaller.
then request last contains State: draft, not submitted.
then request last contains the plan
then request last lacks Their feedback
