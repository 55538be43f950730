# F004  acceptEdits as the configured default does not leak into plan mode

given file src/a.txt = one
given settings {"permissions": {"defaultMode": "acceptEdits"}}

user> <shift+tab>
mode> acceptEdits -> plan by cycle
user> go
note> plan_mode full no plan
model> Edit src/a.txt: one -> two ∥ Bash mkdir d ∥ Bash touch x
tool> Edit refused plan mode is active
tool> Bash refused plan mode is active
tool> Bash refused plan mode is active
model> text Refused.
said> No plan was submitted
then nothing changed
then log lacks attachment attachment.type=plan_mode_exit
then before acceptEdits
