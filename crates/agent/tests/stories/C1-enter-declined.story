# C1  the user is asked before the model enters, and can say no

user> go
model> EnterPlanMode
ask> enter plan mode
answer> no
tool> EnterPlanMode failed The user does not want plan mode for this
model> text As you like.
then mode default
then log lacks attachment
