# damage in the middle of the log: `type` of the change to plan is in other case; the mode before it is not taken up

given file src/a.txt = one
given mode acceptEdits

user> hello
model> Read src/a.txt
tool> Read ok
model> text Hello.
user> /plan
mode> acceptEdits -> plan by command
said> Enabled plan mode
user> look
note> plan_mode full no plan
model> text Looked.
said> No plan was submitted
kill>
world> sed -i '/"to":"plan"/s/"permission-mode"/"Permission-Mode"/' "$LOG"
reopen>
warn> log: line
mode> acceptEdits -> default by resume
warn> mode-not-taken-up: The session log is damaged
user> edit it
model> Edit src/a.txt: one -> two
ask> permission Edit src/a.txt
answer> no
tool> Edit refused
model> text Not done.
then nothing changed
then mode default
then log has permission-mode from=acceptEdits, to=default, cause=resume
