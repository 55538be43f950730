# C1  EnterPlanMode enters and keeps the mode before; its input is strict; again is a no-op

given mode acceptEdits

user> go
model> EnterPlanMode {"x": 1}
tool> EnterPlanMode refused The input of `EnterPlanMode` is not valid: … unknown field `x`
model> EnterPlanMode
ask> enter plan mode
answer> yes
mode> acceptEdits -> plan by model
tool> EnterPlanMode ok Entered plan mode. You should now focus on exploring the codebase and designing an implementation approach.
note> plan_mode full no plan
model> EnterPlanMode
tool> EnterPlanMode ok You are in plan mode already
model> text Planning.
said> No plan was submitted
then mode plan
then before acceptEdits
then tools contain EnterPlanMode
then tools contain ExitPlanMode
