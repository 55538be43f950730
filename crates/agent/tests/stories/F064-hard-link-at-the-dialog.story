# F064  a hard link at the plan's place: it cannot be submitted, and the dialog's editor does not reach the other file

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
world> rm "$P" && ln src/a.txt "$P"
user> submit
warn> plan-file: The plan file {plan_file} cannot be read: it has other names elsewhere (hard links)
model> ExitPlanMode
tool> ExitPlanMode failed The plan at {plan_file} cannot be read: it has other names elsewhere (hard links)
model> text No.
said> No plan was submitted
world> rm "$P" && printf 'the plan' > "$P"
user> again
model> ExitPlanMode
ask> plan 1 … the plan
world> rm "$P" && ln src/a.txt "$P"
answer> edit
warn> plan-file: The plan file {plan_file} cannot be read: it has other names elsewhere (hard links)
ask> plan 1 … again: Failed to open plan in editor: it has other names elsewhere (hard links)
answer> approve acceptEdits edited: x
ask> plan 1 … again: The edited plan could not be saved: … hard link
answer> keep planning
tool> ExitPlanMode failed The user wants to keep planning
model> text Yes.
said> No plan was submitted
user> /plan open
said> Failed to open plan in editor: it has other names elsewhere (hard links)
then file src/a.txt = one
then mode plan
