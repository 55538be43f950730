# C1  EnterPlanMode from a subagent is an error

user> go
model> Agent general-purpose: plan it
general-purpose model> EnterPlanMode
general-purpose tool> EnterPlanMode refused EnterPlanMode tool cannot be used in agent contexts
general-purpose model> text no
tool> Agent ok no
model> text Done.
then mode default
then request general-purpose 1 lacks EnterPlanMode
