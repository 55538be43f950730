# F054  the plan on disk changes while it is shown: it is shown again before anything counts, by every option

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = plan A
tool> Write ok
model> ExitPlanMode
ask> plan 1 … plan A
world> printf 'plan B' > "$P"
answer> approve acceptEdits
ask> plan 1 … plan B again: The plan on disk is not the one that was shown
world> printf 'plan C' > "$P"
answer> approve default
ask> plan 1 … plan C again:
world> printf 'plan D' > "$P"
answer> approve
ask> plan 1 … plan D again:
then mode plan
answer> approve acceptEdits
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok … ## Approved Plan (edited by user): plan D
note> plan_mode_exit approved acceptEdits
model> text Done.
then log has plan-decision decision=approved, edited=true, text=plan D
then log has 1 plan-decision
