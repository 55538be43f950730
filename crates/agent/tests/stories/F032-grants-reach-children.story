# F032  the settings' allow rules reach the children: no question for what is allowed

given file src/a.txt = one
given allow Bash(python3 -c *)

user> go
model> Agent general-purpose: look
general-purpose model> Bash python3 -c "print(42)" ∥ Read src/a.txt ∥ Bash git status
general-purpose tool> Bash ok 42
general-purpose tool> Read ok … one
general-purpose tool> Bash failed
general-purpose model> text looked
tool> Agent ok looked
model> text Done.
then nothing changed
