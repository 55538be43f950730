# the terminal goes away while a command runs: it is stopped, and the session can be gone on with

given allow Bash(*)
given pipe p

user> go
model> Bash exec 3>p; echo begun >&3; sleep 300
during pipe p> <end of input>
tool> Bash failed … interrupted
end> interrupted
then pipe p closed
reopen>
user> go on
model> text Going on.
