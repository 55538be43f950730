# F087  twelve human turns with tool loops: notes at turns 1, 6 and 11, at most one for each, none for a
# tool result. What was sent stays, byte for byte: a law of every story.

given file src/a.txt = one
given mode plan

user> turn 1
note> plan_mode full no plan
3x model> Read src/a.txt
3x tool> Read ok
model> text Looked.
said> No plan was submitted
user> turn 2
3x model> Read src/a.txt
3x tool> Read ok
model> text Looked.
said> No plan was submitted
user> turn 3
3x model> Read src/a.txt
3x tool> Read ok
model> text Looked.
said> No plan was submitted
user> turn 4
3x model> Read src/a.txt
3x tool> Read ok
model> text Looked.
said> No plan was submitted
user> turn 5
3x model> Read src/a.txt
3x tool> Read ok
model> text Looked.
said> No plan was submitted
user> turn 6
note> plan_mode sparse no plan
3x model> Read src/a.txt
3x tool> Read ok
model> text Looked.
said> No plan was submitted
user> turn 7
3x model> Read src/a.txt
3x tool> Read ok
model> text Looked.
said> No plan was submitted
user> turn 8
3x model> Read src/a.txt
3x tool> Read ok
model> text Looked.
said> No plan was submitted
user> turn 9
3x model> Read src/a.txt
3x tool> Read ok
model> text Looked.
said> No plan was submitted
user> turn 10
3x model> Read src/a.txt
3x tool> Read ok
model> text Looked.
said> No plan was submitted
user> turn 11
note> plan_mode sparse no plan
3x model> Read src/a.txt
3x tool> Read ok
model> text Looked.
said> No plan was submitted
user> turn 12
3x model> Read src/a.txt
3x tool> Read ok
model> text Looked.
said> No plan was submitted
then log has 3 attachment
