# /resume ID goes on with another session; its mode and its plan are its own

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = plan one
tool> Write ok
model> text Yes.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
user> /resume nonsense
error> cannot find the session `nonsense`
user> /model script:nowhere
said> there is no model
user> /status
said> session … mode plan … before default … plan {plan_file}
