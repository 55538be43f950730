# F074  nobody to ask: no way in is offered, also under bypass, so that nobody is trapped

given bypass allowed
given mode bypassPermissions
given nobody to ask

user> the task
model> EnterPlanMode
tool> EnterPlanMode refused `EnterPlanMode` is not available here
model> Write b.txt = done
tool> Write ok
model> text Done.
then mode bypassPermissions
then tools lack EnterPlanMode
then tools lack AskUserQuestion
then file b.txt = done
