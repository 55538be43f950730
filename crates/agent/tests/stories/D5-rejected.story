# D5  rejected: still planning, and the feedback is in the result; without any, the model is to ask

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = big plan
tool> Write ok
model> ExitPlanMode
ask> plan 1 … big plan
answer> keep planning: smaller steps
tool> ExitPlanMode failed The user wants to keep planning; the plan is not approved. You are still in plan mode … Their feedback: smaller steps
model> Write {plan_file} = small plan
tool> Write ok
model> ExitPlanMode
ask> plan 2 … small plan changed: … -big plan … +small plan
answer> keep planning
tool> ExitPlanMode failed … still in plan mode … ask what to change
model> AskUserQuestion What should change? size / order
ask> user What should change?
answer> skip
tool> AskUserQuestion failed The user did not answer your questions
model> text I wait.
reminded> Your turn ended without ExitPlanMode and without a question, so no plan was submitted.
model> text Still waiting.
said> No plan was submitted
then mode plan
then log has 2 plan-decision decision=rejected
then log has plan-decision revision=1, feedback=smaller steps
