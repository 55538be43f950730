# /clear while a plan waits: the request for approval goes away, undecided; still planning

given mode plan
given nobody to ask

user> go
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> ExitPlanMode
end> plan pending
user> /clear
said> The conversation is cleared.
then mode plan
then log has plan-decision decision=withdrawn
then log lacks plan-decision decision=approved
user> again
note> plan_mode full no plan
model> ExitPlanMode
tool> ExitPlanMode failed No plan found.
model> text Done.
said> No plan was submitted
