# What was asked about a plan is known when the session goes on

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = # Plan\n
tool> Write ok
model> ExitPlanMode
ask> plan 1
asks> why?
model> text Because of it.
aside> answered Because of it.
kill>
reopen>
ask> plan 1
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok … The user: why? You: Because of it.
note> plan_mode_exit approved default
model> text Done.
