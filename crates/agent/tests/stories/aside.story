# Asking about a plan that waits: the model answers, and nothing is decided by it

given file src/a.txt = one
given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = # Plan\n1. make it two\n
tool> Write ok
model> Bash ls ∥ ExitPlanMode ∥ Bash ls
tool> Bash refused Not run: ExitPlanMode stands alone
ask> plan 1

asks> On line 2 of the plan:\n> 1. make it two\nwhy not three?
model> text Because two is enough.
aside> answered Because two is enough.
then mode plan
then request 3 contains The plan is still being read by the user; nothing is decided yet.
then request 3 contains why not three?
then request 3 contains This decides nothing
then log has 1 aside revision=1, answer=Because two is enough., question~why not three?

# A call in the answer is not run; the next question knows the one before.
asks> who calls it?
model> Write src/a.txt = three ∥ Bash touch never
aside> failed The model answered without words.
then file src/a.txt = one
then no file never
then request 4 contains What they asked about it before, and what you answered:
then request 4 contains You: Because two is enough.

answer> approve acceptEdits notes: go
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok User has approved your plan. … While reading the plan the user asked you about it, and you answered: … why not three? You: Because two is enough. …
tool> Bash refused Not run: ExitPlanMode stands alone
note> plan_mode_exit approved acceptEdits
model> text Done.
then request last lacks This decides nothing
then request last lacks still being read
then log has 1 plan-decision decision=approved
