# What a command does to a file of the experiment beside its contents is told, and not applied

given settings {"plan": {"experiments": true, "commands": "scratch"}}
given file plain.txt = plain\n
given mode plan

user> write a tool
note> plan_mode full no plan
model> Write t = a tool\n
tool> Write ok Created t (1 line). [in the scratch copy
model> Read plain.txt
tool> Read ok 1→plain
model> Edit plain.txt: plain -> fine
tool> Edit ok Edited plain.txt
model> Bash chmod 755 t plain.txt && printf x > made.sh && chmod 700 made.sh
tool> Bash ok [it ran in a scratch copy; would have changed 3 files: 3 of the project (2 created, 1 changed); … created, mode 700 {cwd}/made.sh changed, mode 644 -> 755 {cwd}/plain.txt created, mode 755 {cwd}/t
model> Bash rm made.sh && chmod 644 plain.txt
tool> Bash ok [it ran in a scratch copy
model> Write {plan_file} = # Tool\n
tool> Write ok Created
model> ExitPlanMode
ask> plan 1 (acceptEdits, default, edit, keep, apply acceptEdits) # Tool experiment: … others: mode 755 {cwd}/t
answer> apply acceptEdits
mode> plan -> acceptEdits by approval
said> The experiment was applied: {cwd}/plain.txt, {cwd}/t. `/undo` takes it back.
tool> ExitPlanMode ok User has approved your plan.
note> plan_mode_exit approved acceptEdits
model> Bash test -x t || echo no program
tool> Bash ok no program
model> text Done.
then file t = a tool\n
then file plain.txt = fine\n
