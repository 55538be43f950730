# What was applied can be undone in a later run, unless its files were changed since or the user plans

given settings {"plan": {"experiments": true}}
given file a.txt = one\n
given bypass allowed
given mode bypassPermissions

user> /plan
mode> bypassPermissions -> plan by command
said> Enabled plan mode
user> make it two
note> plan_mode full no plan
model> Read a.txt
tool> Read ok 1→one
model> Edit a.txt: one -> two
tool> Edit ok Edited
model> Write {plan_file} = # Two\n
tool> Write ok Created
model> ExitPlanMode
ask> plan 1 (bypassPermissions, acceptEdits, default, edit, keep, apply bypassPermissions) # Two
answer> apply bypassPermissions
mode> plan -> bypassPermissions by approval
said> The experiment was applied
tool> ExitPlanMode ok User has approved your plan.
note> plan_mode_exit approved bypassPermissions
model> text Done.
world> printf 'mine\n' > a.txt
user> /undo
said> Nothing was undone: {cwd}/a.txt was changed meanwhile.
then file a.txt = mine\n
world> rm a.txt && mkdir a.txt
user> /undo
said> Nothing was undone: {cwd}/a.txt is a folder now.
world> rmdir a.txt && mkfifo a.txt
user> /undo
said> Nothing was undone: {cwd}/a.txt is no regular file now.
world> rm a.txt
world> printf 'two\n' > a.txt
reopen> bypass allowed
user> /plan
mode> bypassPermissions -> plan by command
said> Enabled plan mode
user> /undo
said> While you plan no file is changed, not even back.
user> /plan off
mode> plan -> bypassPermissions by command
said> Disabled plan mode.
user> /undo
said> The experiment is taken back: {cwd}/a.txt.
then nothing changed
