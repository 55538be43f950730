# E3  plan mode passed through while the model works leaves no trace, and nothing of it is told

given file a.txt = alpha

user> go
model> AskUserQuestion Which? a / b
ask> user Which? (a, b)
user> <shift+tab>
mode> default -> acceptEdits by cycle
user> <shift+tab>
mode> acceptEdits -> plan by cycle
user> <shift+tab>
mode> plan -> default by cycle
answer> a
tool> AskUserQuestion ok
model> Read a.txt
tool> Read ok
model> text Done.
then log lacks attachment
then mode default
