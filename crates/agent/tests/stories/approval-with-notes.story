# Words along with an approval reach the model with it, and stay in the log

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = # Plan\n1. make it two\n
tool> Write ok
model> ExitPlanMode
ask> plan 1
answer> approve acceptEdits notes: On line 2 of the plan:\n> 1. make it two\nmind the callers
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok User has approved your plan. … ## Approved Plan: # Plan 1. make it two … ## Notes from the user with the approval: … mind the callers … where they differ from the plan, follow the notes.
note> plan_mode_exit approved acceptEdits
model> text Done.
then log has 1 plan-decision decision=approved, choice=approve:acceptEdits, feedback~mind the callers
then log lacks plan-decision handoff.context=keep

# An edited text and words for it.
user> /plan
mode> acceptEdits -> plan by command
said> Enabled plan mode
user> more
note> plan_mode_reentry
note> plan_mode full plan exists
model> ExitPlanMode
ask> plan 2
answer> approve notes: in small steps edited: # Plan\n1. make it three\n
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok … ## Approved Plan (edited by user): # Plan 1. make it three … in small steps
note> plan_mode_exit approved acceptEdits
model> text Done.
then log has 1 plan-decision revision=2, edited=true, feedback=in small steps

# Words for a plan that is not decided any more are for the model all the same.
user> /plan
mode> acceptEdits -> plan by command
said> Enabled plan mode
user> more
note> plan_mode_reentry
note> plan_mode full plan exists
model> ExitPlanMode
ask> plan 3
user> <shift+tab>
mode> plan -> default by cycle
answer> approve default notes: but keep the names
tool> ExitPlanMode failed … The plan was not approved. … They said: but keep the names
note> plan_mode_exit unapproved default
model> text Yes.
then log has 1 plan-decision revision=3, decision=withdrawn, feedback=but keep the names
then mode default
