# Ctrl-C at the question of a subagent stops the turn of both

user> go
model> Agent general-purpose: make it
general-purpose model> Bash make
general-purpose ask> permission Bash make
user> <ctrl-c>
general-purpose tool> Bash refused Interrupted before it finished.
tool> Agent failed Interrupted before it finished.
end> interrupted
user> go on
model> text Going on.
