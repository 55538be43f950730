# the log cannot be written any more: said, nothing runs unrecorded, and the user can still leave plan mode

given file src/a.txt = one
given mode acceptEdits

user> /plan go
mode> acceptEdits -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> text Yes.
said> No plan was submitted
world> rm "$LOG"
user> go on
error> cannot write the session log … the file was deleted
user> /plan off
mode> plan -> acceptEdits by command
warn> not-recorded: This holds now, but is not in the session log yet
said> Disabled plan mode
