# F069  plansDirectory "/tmp" is refused with a warning, and the default place is used

given file src/a.txt = one
given settings {"plansDirectory": "/tmp"}
given mode plan

warn> settings: `plansDirectory` "/tmp": … plans go to {config}/plans instead
user> go
note> plan_mode full no plan
model> Write {plan_file} = plan A
tool> Write ok
model> text Yes.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
world> test "$(dirname "$P")" = "$CONFIG/plans"
then nothing changed
