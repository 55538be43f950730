# thirty human turns through plan mode and out, with tool loops, a rejection, an approval and a second plan:
# system prompt, tools and all that was sent stay the same, byte for byte, from each request to the next.
# That is a law of every story; this one is long.

given file src/a.txt = one

user> turn 1
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 1 is over.
user> turn 2
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 2 is over.
user> turn 3
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 3 is over.
user> turn 4
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 4 is over.
user> /plan turn 5
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> text Looking.
said> No plan was submitted
user> turn 6
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 6 is over.
said> No plan was submitted
user> turn 7
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 7 is over.
said> No plan was submitted
user> turn 8
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 8 is over.
said> No plan was submitted
user> turn 9
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 9 is over.
said> No plan was submitted
user> turn 10
note> plan_mode sparse no plan
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 10 is over.
said> No plan was submitted
user> turn 11
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 11 is over.
said> No plan was submitted
user> turn 12
model> Write {plan_file} = plan A
tool> Write ok
model> ExitPlanMode
ask> plan 1
answer> keep planning: smaller
tool> ExitPlanMode failed
model> Edit {plan_file}: A -> B
tool> Edit ok
model> ExitPlanMode
ask> plan 2
answer> approve acceptEdits
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved acceptEdits
model> Edit src/a.txt: one -> two
tool> Edit ok
model> text Done.
user> turn 13
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 13 is over.
user> turn 14
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 14 is over.
user> turn 15
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 15 is over.
user> turn 16
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 16 is over.
user> turn 17
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 17 is over.
user> turn 18
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 18 is over.
user> turn 19
model> EnterPlanMode
ask> enter plan mode
answer> yes
mode> acceptEdits -> plan by model
tool> EnterPlanMode ok
note> plan_mode_reentry
note> plan_mode full plan exists
model> Agent Explore: look
Explore note> plan_mode full
Explore model> Read src/a.txt
Explore tool> Read ok
Explore model> text two
tool> Agent ok two
model> text Looked.
said> No plan was submitted
user> turn 20
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 20 is over.
said> No plan was submitted
user> turn 21
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 21 is over.
said> No plan was submitted
user> turn 22
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 22 is over.
said> No plan was submitted
user> turn 23
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 23 is over.
said> No plan was submitted
user> turn 24
note> plan_mode sparse plan exists
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 24 is over.
said> No plan was submitted
user> turn 25
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 25 is over.
said> No plan was submitted
user> /plan off
mode> plan -> acceptEdits by command
said> Disabled plan mode
user> turn 26
note> plan_mode_exit unapproved acceptEdits
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 26 is over.
user> turn 27
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 27 is over.
user> turn 28
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 28 is over.
user> turn 29
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 29 is over.
user> turn 30
2x model> Read src/a.txt
2x tool> Read ok
model> text Turn 30 is over.
then log has 30 user
then log has 2 attachment attachment.type=plan_mode_exit
then mode acceptEdits
