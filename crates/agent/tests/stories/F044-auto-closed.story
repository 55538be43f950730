# F044  auto mode that cannot be had: what it would judge is asked, planning or not

given auto
given mode auto

user> hello
model> text Hello.
reopen> auto gate closed: the classifier does not answer
user> go
model> Bash make
ask> permission Bash make
answer> no
tool> Bash refused
model> text No.
user> /plan go
mode> auto -> plan by command
said> Enabled plan mode
note> auto_mode_exit
note> plan_mode full no plan
model> Write {plan_file} = the plan ∥ Bash make
tool> Write ok
ask> permission Bash make (scratch, once, no)
answer> no
tool> Bash refused
model> ExitPlanMode
ask> plan 1 (acceptEdits, default, edit, keep) the plan
then mode plan
answer> approve
mode> plan -> default by approval
warn> auto-mode-gate-plan-exit-fallback: plan exit → default · the classifier does not answer
tool> ExitPlanMode ok
note> plan_mode_exit approved default
model> text Done.
then mode default
