# an agent's conversation is compacted too

given file a.txt = one
given window 1000000 tokens

user> go
model> Agent general-purpose: read a
general-purpose model reads 960000 writes 100> Read a.txt
general-purpose tool> Read ok
general-purpose model> text SUMMARY: read.
general-purpose note> carried_over words read a, files {cwd}/a.txt
general-purpose compacted> auto
general-purpose model> text It is one.
tool> Agent ok It is one.
model> text Done.
