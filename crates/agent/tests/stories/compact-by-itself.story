# the window is as good as full: the conversation is compacted before the next request, between two answers of a turn;
# plan, mode, todos, files in play and the user's words are there after it, and the full note comes at once

given file src/a.txt = one
given window 1000000 tokens

user> /plan change a
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> Read src/a.txt ∥ TodoWrite look, write ∥ Write {plan_file} = 1. Change one to two.
tool> Read ok
tool> TodoWrite ok
tool> Write ok
model reads 960000 writes 100> Grep one
tool> Grep ok
model> text SUMMARY: a is to be changed.
note> plan_file_reference draft
note> carried_over words change a, 2 todos, files {cwd}/src/a.txt
compacted> auto
note> plan_mode full plan exists
model> ExitPlanMode
ask> plan 1
answer> approve acceptEdits
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved acceptEdits
# what was read before can be edited: what is known of files stays known
model> Edit src/a.txt: one -> two
tool> Edit ok
model> text Done.
then file src/a.txt = two
then request 4 contains [ ] look
then log has 1 compacted trigger=auto
