# E1  no note outside plan mode; a full one inside; it says rightly whether the plan exists

user> hello
model> text Hello.
user> /plan
mode> default -> plan by command
said> Enabled plan mode
user> plan it
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> text It is written.
reminded> Your turn ended without ExitPlanMode and without a question, so no plan was submitted.
model> text Not yet ready.
said> No plan was submitted
then request 1 lacks planwright-note kind="plan
then request 2 contains It does not exist yet: create it with Write.
user> /compact
model> text We wrote a plan.
note> plan_file_reference draft
compacted> manual
user> go on
note> plan_mode full plan exists
model> text Going on.
said> No plan was submitted
then request last contains It exists: read it, and change it with Edit.
