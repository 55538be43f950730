# Ctrl-C while subagents run: they stop too, with their commands

given allow Bash(*)
given pipe p

user> go
model> Agent general-purpose: run it ∥ Agent general-purpose: wait for it
general-purpose model> Bash exec 3>p; echo begun >&3; sleep 300
during pipe p> <ctrl-c>
general-purpose 2 model after 60000 ms> text too late
general-purpose tool> Bash failed … interrupted
tool> Agent failed Interrupted before it finished.
tool> Agent failed Interrupted before it finished.
end> interrupted
then pipe p closed
user> go on
model> text Going on.
