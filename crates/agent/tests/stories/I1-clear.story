# I1  clear: the mode stays, the next plan gets a new file, the old one stays, no stale notes

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = the old plan
tool> Write ok
model> text Written.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
user> /clear
said> The conversation is cleared.
then mode plan
user> another thing
note> plan_mode full no plan
model> Write {plan_file} = the new plan
tool> Write ok
model> text Written.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
then plan files named 2
then plan = the new plan
then file {plan_file 1} = the old plan
then request last lacks the old plan
user> /clear
said> The conversation is cleared.
user> /plan off
mode> plan -> default by command
said> Disabled plan mode
user> hello
model> text Hello.
then request last lacks planwright-note kind
then mode default
