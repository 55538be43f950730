# F060  white space in UTF-16 is blank all the same; text in UTF-16 is shown and keeps its encoding

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> ExitPlanMode
ask> plan 1
world> printf '\377\376 \000\n\000' > "$P"
answer> approve default
ask> plan 1 (acceptEdits, default, edit, keep) again:
answer> keep planning: empty
tool> ExitPlanMode failed … empty
model> ExitPlanMode
tool> ExitPlanMode failed No plan found.
model> text Nothing.
reminded> Your turn ended
model> text Nothing.
said> No plan was submitted
world> printf '\377\376h\000i\000' > "$P"
user> go on
model> Read {plan_file} ∥ Edit {plan_file}: hi -> ho ∥ ExitPlanMode
tool> Read refused Not run
tool> Edit refused Not run
ask> plan 2 (acceptEdits, default, edit, keep) hi
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok … hi
note> plan_mode_exit approved default
model> text Done.
