# F052  words typed before the approval came up stay queued: the dialog waits for its own answer

given mode plan

user> go
note> plan_mode full no plan
model after 100 ms> Write {plan_file} = the plan
during request> and the weather?
said> (after this turn)
tool> Write ok
model> text Submitting. ∥ ExitPlanMode
ask> plan 1
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved default
model> text Done.
model> text Sunny.
then log has user text=and the weather?
then mode default
