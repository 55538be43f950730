# C1  a chat channel drives the session: no way in, and no way out, is offered

given channels

user> go
model> EnterPlanMode
tool> EnterPlanMode refused `EnterPlanMode` is not available here
model> text Done.
then mode default
then tools lack EnterPlanMode
then tools lack ExitPlanMode
