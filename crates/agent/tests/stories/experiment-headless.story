# Where nobody can be asked the plan waits and the experiment ends with the run, which says how to have it

given settings {"plan": {"experiments": true}}
given file a.txt = one\n
given mode plan
given nobody to ask

user> make it two
note> plan_mode full no plan
model> Read a.txt
tool> Read ok 1→one
model> Edit a.txt: one -> two
tool> Edit ok Edited
model> Write {plan_file} = # Two\n
tool> Write ok Created
model> ExitPlanMode
end> plan pending
warn> experiment: The experiment is gone with this run: what was tried in the scratch copy is in no file. To have it, approve the plan in the session that tries it, where you are asked: choice 5 of the plan dialogue applies it.
then nothing changed
