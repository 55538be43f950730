# a scratch copy chosen at the gate's question stays a scratch copy, even in a mode that would run the command for real

given file build.sh = touch made
given bypass allowed
given mode plan

user> go
note> plan_mode full no plan
model> Bash sh build.sh
ask> permission Bash sh build.sh (scratch, once, no)
user> /mode bypassPermissions
mode> plan -> bypassPermissions by command
said> permission mode: bypassPermissions
answer> scratch
tool> Bash ok … would have changed 1 file: 1 of the project (1 created); discarded]
note> plan_mode_exit unapproved bypassPermissions
model> text Seen.
then nothing changed
