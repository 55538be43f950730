# F007  the same with EnterPlanMode in the middle, and last

given file src/a.txt = one
given mode acceptEdits

user> go
model> Write src/a.txt = x ∥ EnterPlanMode ∥ Bash touch x
tool> Write refused Not run: EnterPlanMode stands alone
ask> enter plan mode
answer> no
tool> EnterPlanMode failed The user does not want plan mode for this
tool> Bash refused Not run: EnterPlanMode stands alone
model> Write src/a.txt = x ∥ Bash touch x ∥ EnterPlanMode
tool> Write refused Not run: EnterPlanMode stands alone
tool> Bash refused Not run: EnterPlanMode stands alone
ask> enter plan mode
answer> yes
mode> acceptEdits -> plan by model
tool> EnterPlanMode ok Entered plan mode.
note> plan_mode full no plan
model> text Done.
said> No plan was submitted
then nothing changed
then mode plan
