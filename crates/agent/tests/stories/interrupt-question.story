# Ctrl-C at a question: the call has its result, the turn is over

user> go
model> AskUserQuestion Which? a / b ∥ Read x
ask> user Which? (a, b)
user> <ctrl-c>
tool> AskUserQuestion failed Interrupted before it finished.
tool> Read refused Interrupted before it finished.
end> interrupted
user> go
model> Bash make ∥ Bash touch never
ask> permission Bash make
user> <ctrl-c>
tool> Bash refused Interrupted before it finished.
tool> Bash refused Interrupted before it finished.
end> interrupted
then no file never
user> go on
model> text Going on.
then mode default
