# F030  planning begins while an agent of an agent runs: both are held, and both are free again after

given file src/a.txt = one
given mode acceptEdits

user> go
model> Agent general-purpose: have it edited
warn> still-runs: Agents are at work
general-purpose model> Agent general-purpose: edit it
general-purpose 2 model after 200 ms> Read src/a.txt
during general-purpose 2 request> /mode plan
mode> acceptEdits -> plan by command
said> permission mode: plan
general-purpose 2 tool> Read ok
general-purpose 2 note> plan_mode full no plan
general-purpose 2 model> Edit src/a.txt: one -> two
during Edit>
general-purpose 2 tool> Edit refused this agent is read-only
general-purpose 2 model after 200 ms> Edit src/a.txt: one -> two
during general-purpose 2 request> /mode acceptEdits
mode> plan -> acceptEdits by command
said> permission mode: acceptEdits
general-purpose 2 tool> Edit ok
general-purpose 2 note> plan_mode_exit
general-purpose 2 model> text edited
general-purpose tool> Agent ok edited
general-purpose model> Edit src/a.txt: one -> two
general-purpose tool> Edit failed
general-purpose model> text done
tool> Agent ok done
model> text Done.
then file src/a.txt = two
