# E3  plan mode left: one exit note; a quick way in and out leaves no trace

user> /plan
mode> default -> plan by command
said> Enabled plan mode
user> /plan off
mode> plan -> default by command
said> Disabled plan mode
user> hello
model> text Hello.
then log lacks attachment

user> /plan
mode> default -> plan by command
said> Enabled plan mode
user> plan it
note> plan_mode full no plan
model> text Planning.
said> No plan was submitted
user> /plan off
mode> plan -> default by command
said> Disabled plan mode
user> /plan
mode> default -> plan by command
said> Enabled plan mode
user> still plan it
note> plan_mode full no plan
model> text Planning.
said> No plan was submitted
then log lacks attachment attachment.type=plan_mode_exit

user> /plan off
mode> plan -> default by command
said> Disabled plan mode
user> do it
note> plan_mode_exit unapproved default
model> text Doing it.
user> more
model> text More.
then log has 1 attachment attachment.type=plan_mode_exit
then request last contains ## Exited Plan Mode
then mode default
