# F077  resume: mode shown, note, gate and mode before say the same, and one toggle changes all of them

given file src/a.txt = one
given mode acceptEdits

user> /plan go
mode> acceptEdits -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> text Yes.
said> No plan was submitted
reopen>
then mode plan
then before acceptEdits
user> go
model> Edit src/a.txt: one -> two
tool> Edit refused plan mode is active
model> Read src/a.txt
tool> Read ok
model> text Refused.
said> No plan was submitted
user> /plan off
mode> plan -> acceptEdits by command
said> Disabled plan mode
user> now
note> plan_mode_exit unapproved acceptEdits
model> Edit src/a.txt: one -> two
tool> Edit ok
model> text Done.
then file src/a.txt = two
