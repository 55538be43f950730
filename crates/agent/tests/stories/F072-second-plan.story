# F072  a second plan in the same session: the model is told of the first; after compaction the plan that
# travels is the latest one, labelled with its state

given mode plan

user> task A
note> plan_mode full no plan
model> Write {plan_file} = plan A
tool> Write ok
model> ExitPlanMode
ask> plan 1
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved default
model> text A is done.
user> /plan task B
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode_reentry
note> plan_mode full plan exists
model> Write {plan_file} = plan B
tool> Write ok
model> text Yes.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
then request last contains Another task: overwrite it (its revisions are kept)
user> /compact
model> text SUMMARY
note> plan_file_reference draft
compacted> manual
user> continue
note> plan_mode full plan exists
model> ExitPlanMode
ask> plan 2 (acceptEdits, default, edit, keep) plan B
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok … plan B
note> plan_mode_exit approved default
model> text B is under way.
user> /compact
model> text SUMMARY
note> plan_file_reference approved
compacted> manual
user> continue
model> text B is done.
then request last contains State: approved. It is the work already under way or done, not a new plan
then request last lacks plan A
then log has plan-submitted revision=1, text=plan A
