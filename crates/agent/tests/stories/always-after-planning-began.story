# `always` to a question of the mode before, given when plan mode is on: judged by what may be answered now. It
# neither runs nor becomes a rule

user> go
model> Bash make
ask> permission Bash make (once, always, no)
user> /plan
mode> default -> plan by command
said> Enabled plan mode
answer> always
tool> Bash refused … not one of those on offer
note> plan_mode full no plan
model> Bash make
ask> permission Bash make (scratch, once, no)
answer> no
tool> Bash refused
model> text Refused.
said> No plan was submitted
then nothing changed
then log lacks rule-added
