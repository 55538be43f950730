# An experiment dies with the program; a session that is opened again says so, and what waits is the plan alone

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
kill>
reopen> somebody to ask
said> The experiment of this session is gone
ask> plan 1 (acceptEdits, default, edit, keep) # Two
answer> apply acceptEdits
ask> plan 1 (acceptEdits, default, edit, keep) # Two again: There is no experiment that can be applied here.
answer> approve acceptEdits
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok User has approved your plan.
note> experiment_gone
note> plan_mode_exit approved acceptEdits
model> Edit a.txt: one -> two
tool> Edit failed a.txt has changed since it was last read
model> text Done.
then nothing changed
then log has 1 experiment-dropped
then log lacks experiment-applied
