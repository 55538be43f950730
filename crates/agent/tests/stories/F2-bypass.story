# F2  bypassPermissions before planning opens nothing; the dialog offers to go back to it, first

given file src/a.txt = one
given bypass allowed
given mode bypassPermissions

user> hello
model> Write b.txt = before
tool> Write ok
model> text Hello.
user> /plan go
mode> bypassPermissions -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> Write src/a.txt = x ∥ Bash rm src/a.txt
tool> Write refused plan mode is active
tool> Bash refused plan mode is active
model> Bash make
ask> permission Bash make (scratch, once, no)
answer> no
tool> Bash refused
model> Write {plan_file} = the plan
tool> Write ok
model> ExitPlanMode
ask> plan 1 (bypassPermissions, acceptEdits, default, edit, keep) the plan
answer> approve
mode> plan -> bypassPermissions by approval
tool> ExitPlanMode ok User has approved your plan
note> plan_mode_exit approved bypassPermissions
model> Write c.txt = after
tool> Write ok
model> text Done.
then file src/a.txt = one
then mode bypassPermissions
then before none
