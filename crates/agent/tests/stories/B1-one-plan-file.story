# B1  the plan file is named when first needed; a session keeps its own, two sessions have two

user> /plan
mode> default -> plan by command
said> Enabled plan mode
then plan files named 0
user> go
note> plan_mode full no plan
model> text First.
said> No plan was submitted
then plan files named 1
user> more
model> Write {plan_file} = the first plan
tool> Write ok
model> ExitPlanMode
ask> plan 1 … the first plan
answer> keep planning: later
tool> ExitPlanMode failed … later
model> text Second.
reminded> Your turn ended without ExitPlanMode and without a question, so no plan was submitted.
model> text Later, then.
said> No plan was submitted
then plan files named 1
then log has 1 plan-slug

another>
user> /plan go
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> Write {plan_file} = the second plan
tool> Write ok
model> ExitPlanMode
ask> plan 1 … the second plan
answer> keep planning: later
tool> ExitPlanMode failed … later
model> text Third.
reminded> Your turn ended without ExitPlanMode and without a question, so no plan was submitted.
model> text Later, then.
said> No plan was submitted
then the plan file is another
