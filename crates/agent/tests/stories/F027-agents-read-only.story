# F027  a subagent of every type is held to planning, at every depth

given file src/a.txt = one
given allow Bash(*)
given bypass allowed
given mode bypassPermissions

user> /plan go
mode> bypassPermissions -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> Agent general-purpose: edit a.txt ∥ Agent Explore: edit a.txt ∥ Agent Plan: edit a.txt
general-purpose note> plan_mode full no plan
general-purpose model> Edit src/a.txt: one -> two ∥ Bash touch x ∥ Agent general-purpose: you do it
general-purpose tool> Edit refused this agent is read-only
general-purpose tool> Bash refused this agent is read-only
general-purpose tool> Agent ok not even I
general-purpose model> text refused
general-purpose 2 note> plan_mode full no plan
general-purpose 2 model> Bash touch y
general-purpose 2 tool> Bash refused this agent is read-only
general-purpose 2 model> text not even I
Explore note> plan_mode full no plan
Explore model> Edit src/a.txt: one -> two ∥ Bash touch x
Explore tool> Edit refused this agent is read-only
Explore tool> Bash refused this agent is read-only
Explore model> text refused
Plan note> plan_mode full no plan
Plan model> Write x = x
Plan tool> Write refused this agent is read-only
Plan model> text refused
tool> Agent ok refused
tool> Agent ok refused
tool> Agent ok refused
model> text Refused.
said> No plan was submitted
then nothing changed
