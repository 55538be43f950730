# I1  fork: a copy of the plan under a name of its own; the two never overwrite each other

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = shared plan
tool> Write ok
model> text Written.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
user> /fork
said> This is a fork now: session
then mode plan
then plan = shared plan
user> change it
note> plan_mode full plan exists
model> Read {plan_file}
tool> Read ok … shared plan
model> Edit {plan_file}: shared -> forked
tool> Edit ok
model> text Changed.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
then plan = forked plan
then file {plan_file 1} = shared plan
then plan files named 2
