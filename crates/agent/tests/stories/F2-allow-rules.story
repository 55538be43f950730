# F2  allow rules open nothing, and answer nothing that the gate asks

given file src/a.txt = one
given allow Edit(*)
given allow Write(*)
given allow Bash(*)
given allow *
given mode plan

user> go
note> plan_mode full no plan
model> Edit src/a.txt: one -> two ∥ Write b.txt = x ∥ Bash rm src/a.txt
tool> Edit refused plan mode is active
tool> Write refused plan mode is active
tool> Bash refused plan mode is active
model> Bash make
ask> permission Bash make (scratch, once, no)
answer> no
tool> Bash refused
model> ExitPlanMode
tool> ExitPlanMode failed No plan found.
model> text Done.
said> No plan was submitted
then nothing changed
then mode plan
