# Leaving plan mode any other way drops the experiment; the next one begins with the real files

given settings {"plan": {"experiments": true}}
given file a.txt = one\n
given mode plan

user> make it two
note> plan_mode full no plan
model> Read a.txt
tool> Read ok 1→one
model> Edit a.txt: one -> two
tool> Edit ok Edited
model> text Done.
said> No plan was submitted
user> /plan off
mode> plan -> default by command
said> Disabled plan mode. The plan was not approved.
user> and now?
note> experiment_gone
note> plan_mode_exit unapproved default
model> Read a.txt
tool> Read ok 1→one
model> text Still one.
user> /plan
mode> default -> plan by command
said> Enabled plan mode
user> again
note> plan_mode full no plan
model> Read a.txt
tool> Read ok 1→one
model> Edit a.txt: one -> two
tool> Edit ok Edited a.txt
model> text Done.
said> No plan was submitted
warn> experiment: The experiment is gone with this run
then nothing changed
