# Ctrl-C reaches the agents of agents

given allow Bash(*)
given pipe p

user> go
model> Agent general-purpose: have it run
general-purpose model> Agent general-purpose: run it
general-purpose 2 model> Bash exec 3>p; echo begun >&3; sleep 300
during pipe p> <ctrl-c>
general-purpose 2 tool> Bash failed … interrupted
general-purpose tool> Agent failed Interrupted before it finished.
tool> Agent failed Interrupted before it finished.
end> interrupted
then pipe p closed
