# D4  an empty plan, or white space only, is no plan

given mode plan

user> go
note> plan_mode full no plan
model> ExitPlanMode
tool> ExitPlanMode failed No plan found. Write your plan to {plan_file} first, then call ExitPlanMode.
model> Write {plan_file} =  \n\t\n
tool> Write ok
model> ExitPlanMode
tool> ExitPlanMode failed No plan found. Write your plan to {plan_file} first, then call ExitPlanMode.
model> text Nothing to do.
reminded> Your turn ended without ExitPlanMode and without a question, so no plan was submitted.
model> text Nothing.
said> No plan was submitted
then mode plan
then log lacks plan-submitted
