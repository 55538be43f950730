# An answer brought from outside brings its words along

given mode plan
given nobody to ask

user> go
note> plan_mode full no plan
model> Write {plan_file} = # Plan\n1. make it two\n
tool> Write ok
model> ExitPlanMode
end> plan pending
reopen> approve acceptEdits notes: mind the callers
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok User has approved your plan. … mind the callers
note> plan_mode_exit approved acceptEdits
model> text Done.
then log has 1 plan-decision decision=approved, feedback=mind the callers
