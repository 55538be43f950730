# client  While planning, no hook opens the gate, neither by an allow nor by another input

given mode plan
given file a.txt = one

user> <hooks>
wish> done
user> go
note> plan_mode full no plan
model> Write a.txt = two
ask> hook Write plan
answer> allow
tool> Write refused …
model> Bash cat a.txt
ask> hook Bash plan
answer> allow {"command": "rm a.txt"}
tool> Bash refused …
model> Write {plan_file} = # Plan\n
ask> hook Write plan
answer> nothing
tool> Write ok
model> ExitPlanMode
ask> hook ExitPlanMode plan {}
answer> allow
ask> plan 1 …
answer> declined: more detail
tool> ExitPlanMode failed … more detail
model> Agent Explore: look
ask> hook Agent plan
answer> nothing
Explore note> plan_mode full no plan
Explore model> Read a.txt
Explore ask> hook Read plan
answer> deny not for agents
Explore tool> Read refused … not for agents
Explore model> text Nothing.
tool> Agent ok Nothing.
model> text The sky is blue.
reminded> …
model> text Still.
said> No plan was submitted
then nothing changed
then mode plan
