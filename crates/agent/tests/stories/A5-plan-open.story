# A5  /plan open runs the editor on the plan: an edit, no change, a failure, a missing editor

given editor Vim

user> /plan write it
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> Write {plan_file} = step A\n
tool> Write ok
model> AskUserQuestion Which? a / b
ask> user Which? (a, b)
answer> a
tool> AskUserQuestion ok Your questions have been answered: "Which?"="a". You can now continue with these answers in mind.
model> text Fine.
reminded> Your turn ended without ExitPlanMode and without a question, so no plan was submitted.
model> text Not ready.
said> No plan was submitted

user> /plan open
ask> editor {plan_file}
answer> runs: sed -i s/A/B/ "$1"
said> Opened plan in editor: {plan_file}
then plan = step B\n
user> /plan open
ask> editor {plan_file}
answer> runs: true
said> Opened plan in editor: {plan_file}
then plan = step B\n
user> /plan open
ask> editor {plan_file}
answer> runs: exit 3
said> Failed to open plan in editor: the editor failed
then plan = step B\n
user> /plan open
ask> editor {plan_file}
answer> runs: no-such-editor-anywhere "$1"
said> Failed to open plan in editor: the editor failed
then plan = step B\n
user> /plan open
ask> editor {plan_file}
answer> no editor: no editor is set
said> Failed to open plan in editor: no editor is set
then plan = step B\n
then mode plan
