# F084  left by the key: one exit note with the next request, also if that comes in a tool loop, or after resume

given file src/a.txt = one
given mode plan

user> go
note> plan_mode full no plan
model> text Yes.
said> No plan was submitted
user> <shift+tab>
mode> plan -> default by cycle
user> do it
note> plan_mode_exit unapproved default
model> ExitPlanMode
tool> ExitPlanMode refused You are not in plan mode.
model> text Right.
user> more
model> text Yes.
then request 2 contains the mode is now `default`
user> /plan again
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model after 100 ms> Read src/a.txt
during request> <shift+tab>
mode> plan -> default by cycle
tool> Read ok
note> plan_mode_exit unapproved default
model> text Told in the loop.
user> /plan again
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> text Yes.
said> No plan was submitted
user> /plan off
mode> plan -> default by command
said> Disabled plan mode
reopen>
user> now
note> plan_mode_exit unapproved default
model> text Told after resume.
then log has 3 attachment attachment.type=plan_mode_exit
