# `/plan TEXT` typed at a question: plan mode is on at once, and the words are a human turn after this one

given mode acceptEdits

user> go
model> Bash make
ask> permission Bash make (once, always, no)
user> /plan rework auth
mode> acceptEdits -> plan by command
said> Enabled plan mode
then mode plan
answer> no
tool> Bash refused
note> plan_mode full no plan
model> Write b.txt = x
tool> Write refused plan mode is active
model> text Refused.
said> No plan was submitted
model> text Auth, then.
said> No plan was submitted
then nothing changed
then before acceptEdits
then log has 1 user text=rework auth
then request last contains rework auth
