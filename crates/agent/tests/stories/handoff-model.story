# An approval with another model for the work; one that cannot be had approves nothing

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = # Plan\n
tool> Write ok
model> ExitPlanMode
ask> plan 1
answer> approve acceptEdits model: nowhere notes: please
ask> plan 1 (acceptEdits, default, edit, keep) # Plan again: The plan is not approved: the model `nowhere` cannot be had: there is no model `nowhere` in this story
then mode plan
then log lacks plan-decision
answer> approve acceptEdits model: other notes: please
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok User has approved your plan.
note> plan_mode_exit approved acceptEdits
said> model: script:…/other.json
model other> text Done.
then log has 1 plan-decision handoff.model=other, feedback=please
