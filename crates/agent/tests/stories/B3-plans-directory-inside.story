# B3  plansDirectory inside the project is where plans go, and is made when it is needed

given settings {"plansDirectory": "docs/plans"}

user> /plan go
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> Write {plan_file} = in the project ∥ Write docs/plans/other.md = x
tool> Write ok
tool> Write refused plan mode is active
model> ExitPlanMode
ask> plan 1 … in the project
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved default
model> text Done.
then log has plan-slug path~{plan_file}
then no file docs/plans/other.md
then plan = in the project
