# F002  plan mode by resume: mode shown, note sent, gate and dialog agree

given file src/a.txt = one
given mode acceptEdits

reopen> mode plan
mode> acceptEdits -> plan by resume
then mode plan
user> go
note> plan_mode full no plan
model> Edit src/a.txt: one -> two
tool> Edit refused plan mode is active; only the plan file {plan_file} may be written
model> Write {plan_file} = the plan
tool> Write ok
model> ExitPlanMode
ask> plan 1
answer> keep planning: not yet
tool> ExitPlanMode failed … Their feedback: not yet
model> text Yes.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
then nothing changed
then mode plan
then request last contains You are planning now
