# C1  in the interview workflow the result says so, and the note describes it

given interview

user> go
model> EnterPlanMode
ask> enter plan mode
answer> yes
mode> default -> plan by model
tool> EnterPlanMode ok Entered plan mode. … DO NOT write or edit any files except the plan file.
note> plan_mode full no plan
model> text Planning.
said> No plan was submitted
then request 2 contains Plan together with the user
then request 2 lacks Phase 1
