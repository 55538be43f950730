# F079  a mode asked for on resume wins over the stored one, and the stored one over the settings' default

given file src/a.txt = one
given settings {"permissions": {"defaultMode": "plan"}}
given mode acceptEdits

user> hello
model> Read src/a.txt
tool> Read ok
model> text Hello.
reopen>
then mode acceptEdits
reopen> mode plan
mode> acceptEdits -> plan by resume
user> edit
note> plan_mode full no plan
model> Edit src/a.txt: one -> two
tool> Edit refused plan mode is active
model> text Refused.
said> No plan was submitted
reopen> mode acceptEdits
mode> plan -> acceptEdits by resume
user> edit
note> plan_mode_exit unapproved acceptEdits
model> Edit src/a.txt: one -> two
tool> Edit ok
model> text Done.
then file src/a.txt = two
