# F064  links: one that leads to the plan from elsewhere is not the plan, a hard link at its place is refused

given file src/a.txt = one
given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> text Yes.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
world> ln -s "$P" link.md
user> more
model> Edit link.md: the plan -> x
tool> Edit refused plan mode is active
model> text Yes.
said> No plan was submitted
world> rm "$P" && ln src/a.txt "$P"
user> more
warn> plan-file: The plan file {plan_file} cannot be read: it has other names elsewhere (hard links)
model> Read {plan_file} ∥ Edit {plan_file}: one -> two ∥ Write {plan_file} = x
tool> Read ok … one
tool> Edit refused … hard links
tool> Write refused … hard links
model> text Later.
said> No plan was submitted
world> rm "$P" && ln -s "$PWD/src/a.txt" "$P"
user> more
warn> plan-file: The plan file {plan_file} cannot be read: a symbolic link stands at its place
model> Edit {plan_file}: one -> two ∥ ExitPlanMode
tool> Edit refused Not run
tool> ExitPlanMode failed The plan at {plan_file} cannot be read: a symbolic link stands at its place
model> Edit {plan_file}: one -> two
tool> Edit refused plan mode is active
model> text Yes.
said> No plan was submitted
then file src/a.txt = one
