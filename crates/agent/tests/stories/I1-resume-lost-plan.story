# I1  the plan file is gone: locally that is said, and the model is told that there is none

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> ExitPlanMode
ask> plan 1
answer> keep planning: later
tool> ExitPlanMode failed
model> text Yes.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
world> rm "$P"
reopen>
warn> plan-lost: The plan file {plan_file} is gone. Its last text is in the session log
user> again
model> ExitPlanMode
tool> ExitPlanMode failed No plan found.
model> text It is gone.
said> No plan was submitted
then mode plan
