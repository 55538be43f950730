# E2  one note however long a tool loop is; the next ones at human turns 6, 11, …; full again at the sixth

given file src/a.txt = one
given mode plan

user> turn 1
note> plan_mode full no plan
50x model> Read src/a.txt
50x tool> Read ok
model> text Turn 1 is over.
said> No plan was submitted
user> turn 2
model> text Turn 2 is over.
said> No plan was submitted
user> turn 3
model> text Turn 3 is over.
said> No plan was submitted
user> turn 4
model> text Turn 4 is over.
said> No plan was submitted
user> turn 5
model> text Turn 5 is over.
said> No plan was submitted
user> turn 6
note> plan_mode sparse no plan
model> text Turn 6 is over.
said> No plan was submitted
user> turn 7
model> text Turn 7 is over.
said> No plan was submitted
user> turn 8
model> text Turn 8 is over.
said> No plan was submitted
user> turn 9
model> text Turn 9 is over.
said> No plan was submitted
user> turn 10
model> text Turn 10 is over.
said> No plan was submitted
user> turn 11
note> plan_mode sparse no plan
model> text Turn 11 is over.
said> No plan was submitted
user> turn 12
model> text Turn 12 is over.
said> No plan was submitted
user> turn 13
model> text Turn 13 is over.
said> No plan was submitted
user> turn 14
model> text Turn 14 is over.
said> No plan was submitted
user> turn 15
model> text Turn 15 is over.
said> No plan was submitted
user> turn 16
note> plan_mode sparse no plan
model> text Turn 16 is over.
said> No plan was submitted
user> turn 17
model> text Turn 17 is over.
said> No plan was submitted
user> turn 18
model> text Turn 18 is over.
said> No plan was submitted
user> turn 19
model> text Turn 19 is over.
said> No plan was submitted
user> turn 20
model> text Turn 20 is over.
said> No plan was submitted
user> turn 21
note> plan_mode sparse no plan
model> text Turn 21 is over.
said> No plan was submitted
user> turn 22
model> text Turn 22 is over.
said> No plan was submitted
user> turn 23
model> text Turn 23 is over.
said> No plan was submitted
user> turn 24
model> text Turn 24 is over.
said> No plan was submitted
user> turn 25
model> text Turn 25 is over.
said> No plan was submitted
user> turn 26
note> plan_mode full no plan
model> text Turn 26 is over.
said> No plan was submitted
user> turn 27
model> text Turn 27 is over.
said> No plan was submitted
then log has 6 attachment attachment.type=plan_mode
then log has 2 attachment attachment.reminder_type=full
