# the disk of the config home is full: the message names the path, nothing saved is lost, the user can
# leave plan mode, and what could not be written is written later

given disk of its own
given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> text Yes.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
world> head -c 1000000 /dev/zero > "$CONFIG/fill" 2>/dev/null; while printf '\n' >> "$LOG"; do :; done 2>/dev/null; true
user> go on
error> cannot write the session log {config}/projects/ … no space is left on the disk
then plan = the plan
user> /plan off
mode> plan -> default by command
warn> not-recorded: This holds now, but is not in the session log yet
said> Disabled plan mode
world> rm "$CONFIG/fill"
user> go on
note> plan_mode_exit unapproved default
model> text Yes.
then mode default
then log has permission-mode from=plan, to=default
reopen>
then mode default
