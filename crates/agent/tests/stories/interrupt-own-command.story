# Ctrl-C while a command of the user's own runs

given pipe p

user> !exec 3>p; echo begun >&3; sleep 300
during pipe p> <ctrl-c>
said> stopped
then pipe p closed
user> go on
model> text Going on.
