# What the user changes wins over the experiment, and the model is told that its edit is gone

given settings {"plan": {"experiments": true}}
given file a.txt = one\n
given mode plan

user> make it two
note> plan_mode full no plan
model> Read a.txt
tool> Read ok 1→one
model> Edit a.txt: one -> two
tool> Edit ok Edited
model> text Tried.
said> No plan was submitted
world> printf 'one\nmine\n' > a.txt
user> go on
model> Edit a.txt: two -> three
tool> Edit failed a.txt has changed since it was last read (by the user or by a command). Read it again, then change it. (your edit of this file in the scratch copy is gone
model> Read a.txt
tool> Read ok 1→one 2→mine [your edit of this file in the scratch copy is gone
model> Edit a.txt: one -> two
tool> Edit ok Edited
model> Read a.txt
tool> Read ok 1→two 2→mine [this is the file as it is in the scratch copy
model> Write {plan_file} = # Two\n
tool> Write ok Created
model> ExitPlanMode
ask> plan 1 (acceptEdits, default, edit, keep, apply acceptEdits) # Two experiment: --- {cwd}/a.txt
answer> apply acceptEdits
mode> plan -> acceptEdits by approval
said> The experiment was applied
tool> ExitPlanMode ok User has approved your plan.
note> plan_mode_exit approved acceptEdits
model> text Done.
then file a.txt = two\nmine\n
