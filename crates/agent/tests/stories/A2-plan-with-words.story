# A2  /plan TEXT enters, and the model is asked TEXT at once

user> /plan rework auth
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> text Let me look.
said> No plan was submitted
then mode plan
then before default
then request 1 contains rework auth
then request 1 contains You are planning now
then log has user text=rework auth
