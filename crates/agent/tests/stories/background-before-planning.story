# a command begun in the background before plan mode is not stopped by it: the user is told which one still runs

given allow Bash(*)
given pipe p

user> go
model> Bash {"command": "exec 3>p; echo begun >&3; exec sleep 300", "run_in_background": true}
tool> Bash ok
during pipe p>
model> text Begun.
user> /plan
warn> still-runs: Begun before plan mode, and not stopped by it: `exec 3>p; echo begun >&3; exec sleep 300` (process … `!kill … ` ends it).
mode> default -> plan by command
said> Enabled plan mode
