# Words said to a headless run do not take it out of plan mode: a host may relay anybody's text

given file a.txt = one\n
given mode plan
given relayed

user> /mode acceptEdits
error> A message does not take a headless run out of plan mode
user> /plan off
error> A message does not take a headless run out of plan mode
user> go
note> plan_mode full no plan
model> Write b.txt = x
tool> Write refused plan mode is active
model> text Done.
said> No plan was submitted
then nothing changed
# What a client wishes is its own act.
user> <client mode default>
mode> plan -> default by client
wish> done
