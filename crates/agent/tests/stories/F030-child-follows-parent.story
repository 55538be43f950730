# F030  a general-purpose agent started outside planning follows the session: held while it plans, free
# again after; one started while planning stays read-only to its end

given file src/a.txt = one
given mode acceptEdits

user> go
model> Agent general-purpose: edit a.txt
warn> still-runs: Agents are at work
general-purpose model after 200 ms> Read src/a.txt
during general-purpose request> /mode plan
mode> acceptEdits -> plan by command
said> permission mode: plan
general-purpose tool> Read ok
general-purpose note> plan_mode full no plan
general-purpose model> Edit src/a.txt: one -> two
during Edit>
general-purpose tool> Edit refused this agent is read-only
general-purpose model after 200 ms> Edit src/a.txt: one -> two
during general-purpose request> /mode acceptEdits
mode> plan -> acceptEdits by command
said> permission mode: acceptEdits
general-purpose tool> Edit ok
general-purpose note> plan_mode_exit
general-purpose model> text edited
tool> Agent ok edited
model> text Done.
then file src/a.txt = two
user> /plan go
mode> acceptEdits -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> Agent general-purpose: edit it again
general-purpose 2 note> plan_mode full no plan
general-purpose 2 model after 200 ms> Read src/a.txt
during general-purpose 2 request> /mode acceptEdits
mode> plan -> acceptEdits by command
said> permission mode: acceptEdits
general-purpose 2 tool> Read ok
general-purpose 2 note> plan_mode full no plan
general-purpose 2 model> Edit src/a.txt: two -> three
general-purpose 2 tool> Edit refused this agent is read-only
general-purpose 2 model> text refused
tool> Agent ok refused
note> plan_mode_exit unapproved acceptEdits
model> Read src/a.txt
tool> Read ok … two
model> Edit src/a.txt: two -> three
tool> Edit ok
model> text Done.
then file src/a.txt = three
