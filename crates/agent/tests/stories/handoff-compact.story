# An approval with a compacted context: summary, plan, notes

given mode plan

user> a long story of words
note> plan_mode full no plan
model> Write {plan_file} = # Plan\n1. make it two\n
tool> Write ok
model> ExitPlanMode
ask> plan 1
answer> approve acceptEdits context: compact notes: mind the callers
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok User has approved your plan.
model> text SUMMARY: two is wanted.
note> plan_file_reference approved
note> carried_over
compacted> manual
note> plan_mode_exit approved acceptEdits
model> text Done.
then request 4 contains SUMMARY: two is wanted.
then request 4 contains State: approved
then request 4 contains 1. make it two
then request 4 contains mind the callers
then request 4 lacks You are planning now
then log has 1 compacted
then log has 1 plan-decision decision=approved, handoff.context=compact

# A summary that does not come keeps nothing from being done.
user> /plan
mode> acceptEdits -> plan by command
said> Enabled plan mode
user> more
note> plan_mode_reentry
note> plan_mode full plan exists
model> ExitPlanMode
ask> plan 2
answer> approve acceptEdits context: compact
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok User has approved your plan.
model fails 529> x
error> The model's provider answered 529
note> plan_mode_exit approved acceptEdits
model> text Done all the same.
user> and now?
model> text Done.
then log has 1 compacted
