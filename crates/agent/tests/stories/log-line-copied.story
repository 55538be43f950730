# a log with an earlier `default -> acceptEdits` copied behind `-> plan`: a move that does not begin where the
# session stands loosens nothing

given file src/a.txt = one

user> /mode acceptEdits
mode> default -> acceptEdits by command
said> permission mode: acceptEdits
user> /plan
mode> acceptEdits -> plan by command
said> Enabled plan mode
user> look
note> plan_mode full no plan
model> text Looked.
said> No plan was submitted
kill>
world> line=$(grep '"to":"acceptEdits"' "$LOG") && echo "$line" >> "$LOG"
reopen>
then mode default
then before none
user> <shift+tab>
mode> default -> acceptEdits by cycle
user> <shift+tab>
mode> acceptEdits -> plan by cycle
then before default
user> /plan off
mode> plan -> default by command
said> Disabled plan mode
user> edit it
note> plan_mode_exit unapproved default
model> Write src/b.txt = x
ask> permission Write src/b.txt
answer> no
tool> Write refused
model> text Not done.
then nothing changed
