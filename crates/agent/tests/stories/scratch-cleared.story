# A scratch copy that a command has ruined is looked at and begun anew, and planning goes on

given settings {"plan": {"experiments": true, "commands": "scratch"}}
given file a.txt = one\n
given file check.sh = cat a.txt\n
given mode plan

user> /scratch
said> There is no scratch copy
user> /scratch clear
said> There is no scratch copy
user> go
note> plan_mode full no plan
model> Read a.txt
tool> Read ok 1→one
model> Edit a.txt: one -> two
tool> Edit ok Edited
model> Bash sh check.sh; mv a.txt gone; touch made
tool> Bash ok two
model> text Done.
said> No plan was submitted
user> /scratch
said> The scratch copy would make 3 changes so far. `/scratch clear` throws it away. deleted {cwd}/a.txt created {cwd}/gone created {cwd}/made
user> /scratch clear
said> The scratch copy is thrown away with all that was done in it.
user> /scratch
said> There is no scratch copy
user> again
note> experiment_gone
model> Bash sh check.sh; ls; touch more
tool> Bash ok one a.txt check.sh
model> text Done.
said> No plan was submitted
then request last contains What you tried in the scratch copy is gone and was not applied.
then mode plan
then log has 1 experiment-dropped reason~threw
then nothing changed
