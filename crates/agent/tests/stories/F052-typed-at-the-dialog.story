# F052  words typed while the approval is open are feedback

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> ExitPlanMode
ask> plan 1
user> handle errors too
tool> ExitPlanMode failed … Their feedback: handle errors too
model> text I shall.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
then mode plan
then log lacks user text=handle errors too
