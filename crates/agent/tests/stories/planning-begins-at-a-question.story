# plan mode switched on while a permission question is open: a yes to the question no longer counts

given file src/a.txt = one

user> go
model> Write src/b.txt = x ∥ Bash touch x
ask> permission Write src/b.txt
user> /mode plan
mode> default -> plan by command
said> permission mode: plan
answer> once
tool> Write refused plan mode is active
tool> Bash refused plan mode is active
note> plan_mode full no plan
model> text Refused.
said> No plan was submitted
then nothing changed
