# client  The client goes away at a plan: nothing is decided, the plan waits, and another process settles it

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = # Plan\n
tool> Write ok
model> ExitPlanMode
ask> plan 1 …
user> <nobody answers>
end> plan pending
then mode plan
then log lacks plan-decision
reopen> approve acceptEdits
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved acceptEdits
model> text Done.
then mode acceptEdits
