# Words typed while a command runs are dealt with after the turn; Ctrl-C stops the turn before them

given allow Bash(*)
given pipe p

user> go
model> Bash exec 3>p; echo begun >&3; sleep 300
during Bash> and then this
said> (after this turn)
during pipe p> <ctrl-c>
tool> Bash failed … interrupted
end> interrupted
model> text This, then.
then log has user text=and then this
then pipe p closed
