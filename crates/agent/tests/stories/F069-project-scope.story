# F069  plansDirectory from the project's settings counts

given project settings {"plansDirectory": "{cwd}/plans/x"}
given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = plan A
tool> Write ok
model> text Yes.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
world> test "$(dirname "$P")" = "$PWD/plans/x"
