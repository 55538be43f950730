# F029  a subagent has no way to drive the plan: nothing of it is offered, and all of it refused

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> Agent Explore: finish it
Explore note> plan_mode full no plan
Explore model> ExitPlanMode ∥ EnterPlanMode
Explore tool> ExitPlanMode refused
Explore tool> EnterPlanMode refused
Explore model> ExitPlanMode
Explore tool> ExitPlanMode refused ExitPlanMode cannot be used by a subagent
Explore model> EnterPlanMode
Explore tool> EnterPlanMode refused EnterPlanMode tool cannot be used in agent contexts
Explore model> AskUserQuestion Sure? yes / no
Explore tool> AskUserQuestion refused AskUserQuestion cannot be used by a subagent
Explore model> text no way
tool> Agent ok no way
model> text Done.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
then mode plan
then log lacks plan-submitted
then request Explore 1 lacks ExitPlanMode
then request Explore 1 lacks AskUserQuestion
