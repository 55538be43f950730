# H1  the auto gate closes before the approval: default, with the reason, and the plan approved all the same

given auto
given mode auto

user> hello
model> text Hello.
user> /plan go
mode> auto -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> ExitPlanMode
ask> plan 1 (auto, acceptEdits, default, edit, keep) the plan
kill>
reopen> auto gate closed: the administrator closed it
ask> plan 1 (acceptEdits, default, edit, keep) the plan
answer> approve
mode> plan -> default by approval
warn> auto-mode-gate-plan-exit-fallback: plan exit → default · the administrator closed it
tool> ExitPlanMode ok User has approved your plan
note> auto_mode_exit
note> plan_mode_exit approved default
model> text Done.
then mode default
