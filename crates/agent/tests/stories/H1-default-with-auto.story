# H1  auto is used during planning: dangerous rules go out of force, and come back

given auto
given allow Bash(python3:*)
given allow Bash(git log:*)

user> /plan go
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> text Looked.
said> No plan was submitted
then log has permission-mode to=plan, pre_plan_mode=default, auto_active=true, stripped.user=["Bash(python3:*)"]
user> /permissions
said> … dangerous allow rules are out of force: Bash(python3:*)
user> /plan off
mode> plan -> default by command
said> Disabled plan mode
user> run it
note> auto_mode_exit
note> plan_mode_exit unapproved default
model> Bash python3 -c "print(2)"
tool> Bash ok 2
model> text Done.
then log has permission-mode from=plan, to=default, auto_active=false, auto_exit_note=true
then mode default
