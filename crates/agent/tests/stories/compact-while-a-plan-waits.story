# /compact while a plan waits, and nobody to ask: refused; the plan waits on, and can be approved

given mode plan
given nobody to ask

user> go
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> ExitPlanMode
end> plan pending
user> /compact
said> The plan still waits for an answer.
then log lacks compacted
then log lacks plan-decision
reopen> approve acceptEdits
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok User has approved your plan
note> plan_mode_exit approved acceptEdits
model> text Done.
then mode acceptEdits
