# a yes to a question of the mode before is no yes to what the gate asks since then: the question is put again, with the
# gate's own choices

given file build.sh = touch made

user> go
model> Bash sh build.sh
ask> permission Bash sh build.sh (once, always, no)
user> /plan
mode> default -> plan by command
said> Enabled plan mode
answer> once
ask> permission Bash sh build.sh (scratch, once, no) it is not known to only read
answer> scratch
tool> Bash ok … would have changed
note> plan_mode full no plan
model> text Seen.
said> No plan was submitted
then nothing changed
