# F064  only spellings that lead to the plan file itself are accepted

given file src/a.txt = one
given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> Write {config}/plans/../../project/src/a.txt = x ∥ Write {config}/plans-evil/x.md = x ∥ Write {config}/plans/other.md = x ∥ Write {plan_file}/ = x ∥ Write {"file_path": "{plan_file}\u0000", "content": "x"} ∥ Write {plan_file}.bak = x
tool> Write refused plan mode is active
tool> Write refused plan mode is active
tool> Write refused plan mode is active
tool> Write refused plan mode is active
tool> Write refused … NUL byte
tool> Write refused plan mode is active
model> Write {config}/plans/../plans/x.md = x ∥ Write ~/x.md = x ∥ Write ./plans/x.md = x
tool> Write refused plan mode is active
tool> Write refused plan mode is active
tool> Write refused plan mode is active
model> Edit /{plan_file}: the plan -> plan two
tool> Edit ok
model> Edit {config}/./plans/..//plans/../../home/plans/../../{plan_file}: plan two -> x
tool> Edit refused plan mode is active
model> text Done.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
then nothing changed
then plan = plan two
then no file {config}/plans-evil/x.md
then no file {config}/plans/other.md
