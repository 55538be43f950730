# B2  a subagent's plan file stands beside the main one; it can write that one and no other

given mode plan
given file src/a.txt = one

user> go
note> plan_mode full no plan
model> Agent general-purpose: plan your part
general-purpose note> plan_mode full no plan
general-purpose model> Write {plan_file} = the part's plan ∥ Write src/a.txt = x
general-purpose tool> Write ok
general-purpose tool> Write refused this agent is read-only: the only file it may write is {config}/plans/ … -agent- … .md
general-purpose model> text planned
tool> Agent ok planned
model> Write {plan_file} = the whole plan
tool> Write ok Created
model> text Both are there.
reminded> Your turn ended without ExitPlanMode and without a question, so no plan was submitted.
model> text Not yet.
said> No plan was submitted
then plan = the whole plan
then nothing changed
