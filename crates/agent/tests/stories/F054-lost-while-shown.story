# F054  the plan file vanishes while the plan is shown: nothing is approved

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = plan A
tool> Write ok
model> ExitPlanMode
ask> plan 1 … plan A
world> rm "$P"
answer> approve default
ask> plan 1 (acceptEdits, default, edit, keep) again: The plan on disk is not the one that was shown
answer> approve default
ask> plan 1 … again:
answer> keep planning: it is gone
tool> ExitPlanMode failed … it is gone
model> text Yes.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
then mode plan
then log has 1 plan-decision decision=rejected
