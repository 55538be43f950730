# What a command does to a file of the experiment beside its contents is told, and not applied

given settings {"plan": {"experiments": true, "commands": "scratch"}}
given file src/a.txt = one\n
given file plain.txt = plain\n
given mode plan

user> write a tool
note> plan_mode full no plan
model> Read src/a.txt
tool> Read ok 1→one
model> Write tool.sh = echo tool\n
tool> Write ok Created tool.sh (1 line). [in the scratch copy
model> Edit src/a.txt: one -> two
tool> Edit ok Edited src/a.txt
model> Bash chmod 755 tool.sh src/a.txt && echo more >> plain.txt && chmod 600 plain.txt && printf x > made.sh && chmod 700 made.sh
tool> Bash ok [it ran in a scratch copy; would have changed 4 files: 4 of the project (2 created, 2 changed); … created, mode 700 {cwd}/made.sh changed, mode 644 -> 600 {cwd}/plain.txt changed, mode 644 -> 755 {cwd}/src/a.txt created, mode 755 {cwd}/tool.sh
model> Write {plan_file} = # Tool\n
tool> Write ok Created
model> ExitPlanMode
ask> plan 1 (acceptEdits, default, edit, keep, apply acceptEdits) # Tool experiment: … others: created, mode 700 {cwd}/made.sh; changed, mode 644 -> 600 {cwd}/plain.txt; mode 644 -> 755 {cwd}/src/a.txt; mode 755 {cwd}/tool.sh
answer> apply acceptEdits
mode> plan -> acceptEdits by approval
said> The experiment was applied: {cwd}/src/a.txt, {cwd}/tool.sh. `/undo` takes it back.
tool> ExitPlanMode ok User has approved your plan.
note> plan_mode_exit approved acceptEdits
model> Bash test -x tool.sh || test -x src/a.txt || echo neither
ask> permission Bash test -x
answer> once
tool> Bash ok neither
model> text Done.
then file tool.sh = echo tool\n
then no file made.sh
