# Ctrl-C while a command runs: it is stopped with all its processes, every call has its result, the
# session goes on

given allow Bash(*)
given pipe p

user> go
model> Bash exec 3>p; echo begun >&3; sleep 300 & sleep 300 ∥ Bash touch never ∥ Write never = x
during pipe p> <ctrl-c>
tool> Bash failed … interrupted
tool> Bash refused Interrupted before it finished.
tool> Write refused Interrupted before it finished.
end> interrupted
then pipe p closed
then no file never
then log has interrupted reason=stopped by the user
user> go on
model> text Going on.
