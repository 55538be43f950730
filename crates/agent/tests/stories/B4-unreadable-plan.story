# B4  a plan file that is missing is no plan; one that cannot be read is no plan, and the user is told why

given mode plan

user> go
note> plan_mode full no plan
model> ExitPlanMode
tool> ExitPlanMode failed No plan found. Write your plan to {plan_file} first, then call ExitPlanMode.
model> text Nothing there.
said> No plan was submitted
world> mkdir "$P"
user> again
warn> plan-file: The plan file {plan_file} cannot be read: it is a folder
model> ExitPlanMode
tool> ExitPlanMode failed The plan at {plan_file} cannot be read: it is a folder
model> text Broken.
said> No plan was submitted
then mode plan
then log lacks plan-submitted
