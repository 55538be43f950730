# F027  planning begins while an agent runs: it is held from its next call on

given file src/a.txt = one
given mode acceptEdits

user> go
model> Agent general-purpose: edit a.txt
warn> still-runs: Agents are at work
general-purpose model after 200 ms> Read src/a.txt
during general-purpose request> <shift+tab>
mode> acceptEdits -> plan by cycle
general-purpose tool> Read ok
general-purpose note> plan_mode full no plan
general-purpose model> Edit src/a.txt: one -> two ∥ Bash touch x ∥ Agent general-purpose: you do it
general-purpose tool> Edit refused this agent is read-only
general-purpose tool> Bash refused this agent is read-only
general-purpose tool> Agent ok no
general-purpose 2 note> plan_mode full no plan
general-purpose 2 model> Write b.txt = x
general-purpose 2 tool> Write refused this agent is read-only
general-purpose 2 model> text no
general-purpose model> text refused
tool> Agent ok refused
note> plan_mode full no plan
model> text Refused.
said> No plan was submitted
then nothing changed
