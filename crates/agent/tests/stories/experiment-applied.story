# A change is tried in the scratch copy, tested there, and applied with the approval, as one step that can be undone

given settings {"plan": {"experiments": true, "commands": "scratch"}}
given file src/a.txt = one\n
given file check.sh = grep -q two src/a.txt && echo passes || echo fails\n
given mode plan

user> make it two
note> plan_mode full no plan
model> Read src/a.txt
tool> Read ok 1→one
model> Edit src/a.txt: one -> two
tool> Edit ok Edited src/a.txt (1 replacement). It now reads: 1→two [in the scratch copy; the real file is as it was]
model> Write src/new/b.txt = three\n
tool> Write ok Created src/new/b.txt (1 line). [in the scratch copy
model> Read src/a.txt
tool> Read ok 1→two [this is the file as it is in the scratch copy; the real file is another]
model> Grep two
tool> Grep ok check.sh … [the real files were searched, not the scratch copy]
model> Bash touch left.log && sh check.sh
tool> Bash ok passes
then nothing changed
model> Write {plan_file} = # Two\n
tool> Write ok Created
model> ExitPlanMode
ask> plan 1 (acceptEdits, default, edit, keep, apply acceptEdits) # Two experiment: --- {cwd}/src/a.txt +++ {cwd}/src/a.txt @@ -1 +1 @@ -one +two --- (new file) +++ {cwd}/src/new/b.txt @@ -0,0 +1 @@ +three others: … left.log
then nothing changed
answer> apply acceptEdits
mode> plan -> acceptEdits by approval
said> The experiment was applied: {cwd}/src/a.txt, {cwd}/src/new/b.txt. `/undo` takes it back.
tool> ExitPlanMode ok User has approved your plan. … What you tried in the scratch copy was applied to the real files with the approval, and is part of the work now: {cwd}/src/a.txt, {cwd}/src/new/b.txt.
note> plan_mode_exit approved acceptEdits
model> Edit src/a.txt: two -> two!
tool> Edit ok Edited src/a.txt
model> Edit src/a.txt: two! -> two
tool> Edit ok Edited src/a.txt
model> text Done.
then file src/a.txt = two\n
then file src/new/b.txt = three\n
then no file left.log
then log has plan-decision decision=approved, choice=approve-apply:acceptEdits
then log has 1 experiment-applied
then log has 2 experiment

user> /undo
said> The experiment is taken back: {cwd}/src/a.txt, {cwd}/src/new/b.txt.
then nothing changed
then log has 1 experiment-undone
user> /undo
said> No experiment was applied in this session
user> go on
model> Edit src/a.txt: one -> two
tool> Edit failed src/a.txt has changed since it was last read
model> text Done.
then request last contains The user took back the experiment
