# C1  with plan.confirmEnter = false nobody is asked

given settings {"plan": {"confirmEnter": false}}

user> go
model> EnterPlanMode
mode> default -> plan by model
tool> EnterPlanMode ok
note> plan_mode full no plan
model> text Planning.
said> No plan was submitted
then mode plan
