# two subagents ask at once: each answer goes to its own question

given mode default

user> go
model> Agent general-purpose: make a ∥ Agent general-purpose: make b
general-purpose model> Bash echo one two >> a.txt
general-purpose ask> permission Bash echo one two >> a.txt
general-purpose 2 model> Bash echo three >> b.txt
general-purpose 2 ask> permission Bash echo three >> b.txt
answer> once
answer> no: not that one
general-purpose tool> Bash ok
general-purpose model> text a is made
general-purpose 2 tool> Bash refused … not that one
general-purpose 2 model> text b is not
tool> Agent ok a is made
tool> Agent ok b is not
model> text Done.
then file a.txt contains one
then no file b.txt
