# F1  the gate: what may happen while planning

given file src/a.txt = one
given file src/b.txt = bee
given file notes.ipynb = {"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}
given mode plan

user> go
note> plan_mode full no plan
model> Read src/a.txt ∥ Read {config}/settings.json ∥ Grep one ∥ Glob **/*.txt
tool> Read ok … one
tool> Read ok
tool> Grep ok … src/a.txt
tool> Glob ok … src/b.txt
model> Write {plan_file} = step 1 ∥ Edit {plan_file}: step 1 -> step 2 ∥ TodoWrite think
tool> Write ok Created
tool> Edit ok Edited
tool> TodoWrite ok
model> Write src/a.txt = x ∥ Edit src/a.txt: one -> two ∥ Write new.txt = x ∥ NotebookEdit {"notebook_path": "notes.ipynb", "new_source": "x", "cell_type": "code", "edit_mode": "insert"}
tool> Write refused plan mode is active; only the plan file {plan_file} may be written. Finish the plan and call ExitPlanMode to ask the user for approval
tool> Edit refused plan mode is active; only the plan file {plan_file} may be written. Finish the plan and call ExitPlanMode to ask the user for approval
tool> Write refused plan mode is active; only the plan file {plan_file} may be written
tool> NotebookEdit refused plan mode is active; only the plan file {plan_file} may be written
model> Bash ls src ∥ Bash rm src/a.txt ∥ Bash echo x > new.txt ∥ Bash sed -i s/one/two/ src/a.txt ∥ Bash mv src/a.txt b.txt
tool> Bash ok a.txt b.txt
tool> Bash refused plan mode is active
tool> Bash refused plan mode is active
tool> Bash refused plan mode is active
tool> Bash refused plan mode is active
model> Bash npm install
ask> permission Bash npm install (scratch, once, no)
answer> no: not before we agree
tool> Bash refused … the user said no … not before we agree
model> Bash python3 -c "print(1+1)"
ask> permission Bash python3 … (scratch, once, no)
answer> once
tool> Bash ok 2
model> text Looked around.
reminded> Your turn ended
model> text More later.
said> No plan was submitted
then nothing changed
then plan = step 2
then log has permission-decision tool=Edit, verdict=deny, by=gate
then log has permission-decision tool=Bash, verdict=deny, by=user
