# the user enters plan mode while asked whether the model may, then says no: the model is told that it is planning

user> go
model> EnterPlanMode
ask> enter plan mode
user> /plan
mode> default -> plan by command
said> Enabled plan mode
answer> no
tool> EnterPlanMode ok You are in plan mode already
note> plan_mode full no plan
model> Write b.txt = x
tool> Write refused plan mode is active
model> text Refused.
said> No plan was submitted
then mode plan
then before default
then nothing changed
