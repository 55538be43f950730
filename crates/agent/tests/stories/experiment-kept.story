# Keeping on planning keeps the experiment; an approval without it drops it, and the model is told

given settings {"plan": {"experiments": true}}
given file a.txt = one\n
given mode plan

user> make it two
note> plan_mode full no plan
model> Read a.txt
tool> Read ok 1→one
model> Edit a.txt: one -> two
tool> Edit ok Edited
model> Write {plan_file} = # Two\n
tool> Write ok Created
model> ExitPlanMode
ask> plan 1 (acceptEdits, default, edit, keep, apply acceptEdits) # Two experiment: --- {cwd}/a.txt
answer> keep planning: three, please
tool> ExitPlanMode failed The user wants to keep planning
model> Edit a.txt: two -> three
tool> Edit ok Edited a.txt
model> ExitPlanMode
ask> plan 2 (acceptEdits, default, edit, keep, apply acceptEdits) # Two experiment: --- {cwd}/a.txt +++ {cwd}/a.txt @@ -1 +1 @@ -one +three
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok User has approved your plan.
note> experiment_gone
note> plan_mode_exit approved default
model> Read a.txt
tool> Read ok 1→one
model> text Done.
then nothing changed
then request last contains What you tried in the scratch copy is gone and was not applied.
then log lacks experiment-applied
