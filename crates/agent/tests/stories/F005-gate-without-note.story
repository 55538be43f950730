# F005  the gate does not ride on the note: turns without a note are refused as well

given file src/a.txt = one
given mode acceptEdits

user> read it
model> Read src/a.txt
tool> Read ok
model> text Read.
user> /plan
mode> acceptEdits -> plan by command
said> Enabled plan mode
user> turn 1
note> plan_mode full no plan
model> Edit src/a.txt: one -> two
tool> Edit refused plan mode is active
model> text Refused.
said> No plan was submitted
user> turn 2
model> Edit src/a.txt: one -> two
tool> Edit refused plan mode is active
model> text Refused.
said> No plan was submitted
user> turn 3
model> Edit src/a.txt: one -> two
tool> Edit refused plan mode is active
model> text Refused.
said> No plan was submitted
user> turn 4
model> Edit src/a.txt: one -> two
tool> Edit refused plan mode is active
model> text Refused.
said> No plan was submitted
user> turn 5
model> Edit src/a.txt: one -> two
tool> Edit refused plan mode is active
model> text Refused.
said> No plan was submitted
user> turn 6
note> plan_mode sparse no plan
model> Edit src/a.txt: one -> two
tool> Edit refused plan mode is active
model> text Refused.
said> No plan was submitted
then nothing changed
