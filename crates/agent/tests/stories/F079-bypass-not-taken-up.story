# F079  bypassPermissions is not taken up by a process that did not allow it, neither as the mode nor as the one to
# go back to; where it is allowed it is

given bypass allowed
given mode bypassPermissions

user> hello
model> text Hello.
reopen>
then mode bypassPermissions
reopen> bypass not allowed
mode> bypassPermissions -> default by resume
warn> mode-not-taken-up: bypassPermissions is not taken up again
user> go
model> Write b.txt = x
ask> permission Write b.txt
answer> no
tool> Write refused
model> text Not done.
then nothing changed
reopen> bypass allowed, mode bypassPermissions
mode> default -> bypassPermissions by resume
user> /plan go
mode> bypassPermissions -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> ExitPlanMode
ask> plan 1 (bypassPermissions, acceptEdits, default, edit, keep) the plan
kill>
reopen>
ask> plan 1 (bypassPermissions, acceptEdits, default, edit, keep) the plan
then before bypassPermissions
kill>
reopen> bypass not allowed
mode> plan -> plan by resume
warn> mode-not-taken-up: bypassPermissions is not taken up again
ask> plan 1 (acceptEdits, default, edit, keep) the plan
then mode plan
then before default
answer> approve bypassPermissions
ask> plan 1 … again: That mode is not on offer here.
answer> approve
mode> plan -> default by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved default
model> text Done.
then mode default
