# A session that was killed between an approval and its hand-off hands over when it goes on

given mode plan

user> a long story of words
note> plan_mode full no plan
model> Write {plan_file} = # Plan\n1. make it two\n
tool> Write ok
model> ExitPlanMode
ask> plan 1
answer> approve acceptEdits context: fresh
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok User has approved your plan.
said> A fresh conversation begins, from the approved plan alone.
note> plan_mode_exit approved acceptEdits
model> text Done.
kill>
world> sed -i '/"type":"handed-over"/,$d' "$LOG"
reopen>
said> The last turn was cut off
user> go on
said> A fresh conversation begins, from the approved plan alone.
note> plan_mode_exit approved acceptEdits
model> text Done.
then mode acceptEdits
then request last contains User has approved your plan.
then request last contains go on
then request last lacks a long story of words
then log has 1 handed-over
