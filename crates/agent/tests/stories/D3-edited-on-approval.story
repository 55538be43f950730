# D3  edited while approving: the file has the edit, the result says so, the revision is kept

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = use tabs
tool> Write ok
model> ExitPlanMode
ask> plan 1 … use tabs
answer> approve default edited: use spaces\n
mode> plan -> default by approval
tool> ExitPlanMode ok … ## Approved Plan (edited by user): use spaces
note> plan_mode_exit approved default
model> text Working.
then plan = use spaces\n
then log has plan-decision decision=approved, edited=true, text~use spaces
then mode default
