# client  While planning, another input from a client is judged by the gate like any other

given mode plan
given deny Read(secret.txt)
given file secret.txt = s
given file a.txt = one
given ask Bash(cat *)

user> go
note> plan_mode full no plan
model> Bash cat a.txt
ask> permission Bash cat a.txt
answer> granted {"command": "rm a.txt"}
tool> Bash refused …
model> Bash cat a.txt
ask> permission Bash cat a.txt
answer> granted {"command": "cat secret.txt"}
tool> Bash refused …
model> Bash cat a.txt
ask> permission Bash cat a.txt
answer> granted {"comand": "cat a.txt"}
tool> Bash refused Bash was not run: it was changed into a call that is not valid.
model> text The sky is blue.
said> No plan was submitted
then nothing changed
then mode plan
