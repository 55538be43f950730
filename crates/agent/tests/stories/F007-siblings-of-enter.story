# F007  siblings of EnterPlanMode in one answer do not run, wherever it stands

given file src/a.txt = one
given mode acceptEdits

user> go
model> EnterPlanMode ∥ Write src/a.txt = x ∥ Bash touch x
ask> enter plan mode
answer> yes
mode> acceptEdits -> plan by model
tool> EnterPlanMode ok Entered plan mode.
tool> Write refused Not run: EnterPlanMode stands alone
tool> Bash refused Not run: EnterPlanMode stands alone
note> plan_mode full no plan
model> text Done.
said> No plan was submitted
then nothing changed
then mode plan
then before acceptEdits
