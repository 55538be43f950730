# Without the setting nothing is tried, and nothing is said of experiments

given file a.txt = one\n
given mode plan

user> make it two
note> plan_mode full no plan
model> Read a.txt
tool> Read ok 1→one
model> Edit a.txt: one -> two
tool> Edit refused plan mode is active; only the plan file {plan_file} may be written. Finish the plan and call ExitPlanMode to ask the user for approval. (`Edit(a.txt)` was not run.)
model> text Done.
said> No plan was submitted
then request last lacks xperiment
then nothing changed
