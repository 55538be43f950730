# What a command put in the place of a file in the copy is said in words

given settings {"plan": {"experiments": true, "commands": "scratch"}}
given file a.txt = one\n
given file b.txt = two\n
given mode plan

user> go
note> plan_mode full no plan
model> Read a.txt ∥ Read b.txt
tool> Read ok 1→one
tool> Read ok 1→two
model> Bash rm a.txt b.txt && ln -s /etc/passwd a.txt && mkdir b.txt
tool> Bash ok
model> Read a.txt
tool> Read failed {cwd}/a.txt cannot be read in the scratch copy: a command has put a link there, in its place or in that of a folder above it.
model> Edit b.txt: two -> three
tool> Edit failed {cwd}/b.txt cannot be read in the scratch copy: a command has put something there that is no regular file.
model> text Done.
said> No plan was submitted
then nothing changed
