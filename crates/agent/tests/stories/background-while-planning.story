# a command in the background is no way round the gate: what changes something is refused, what reads is held to reading,
# and what the user has run in a scratch copy changes nothing

given file build.sh = echo x > made
given mode plan

user> go
note> plan_mode full no plan
model> Bash {"command": "touch made", "run_in_background": true}
tool> Bash refused plan mode is active
model> Bash {"command": "sh build.sh", "run_in_background": true}
ask> permission Bash sh build.sh (in the background) (scratch, once, no)
answer> scratch
tool> Bash ok Started in the background … [it runs in a scratch copy of its own, … what it would have changed is not told, and it is no evidence.
model> Bash {"command": "git status > /dev/null; ls", "run_in_background": true}
tool> Bash ok Started in the background
model> text Done.
said> No plan was submitted
then nothing changed
then no file made
then log lacks evidence
