# F040  leaving without an approval: the note says that the plan was not approved

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> text It is there.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
user> /plan off
mode> plan -> default by command
said> Disabled plan mode. The plan was not approved.
user> what time is it?
note> plan_mode_exit unapproved default
model> text Noon.
then request last contains was not approved. Do not carry it out unless the user asks for it
then request last lacks You can now start coding
user> /plan
mode> default -> plan by command
said> Enabled plan mode
user> again
note> plan_mode_reentry
note> plan_mode full plan exists
model> text Yes.
said> No plan was submitted
user> <shift+tab>
mode> plan -> default by cycle
user> and now?
note> plan_mode_exit unapproved default
model> text Still noon.
then mode default
