# an automatic compaction that fails loses nothing and is not tried again in the turn: the user is told, and the turn goes on

given file a.txt = one
given window 1000000 tokens

user> go
model reads 960000 writes 100> Read a.txt
tool> Read ok
model fails 500> text never
warn> compaction: The conversation could not be compacted, and goes on as it is. The model's provider answered 500
model reads 961000 writes 100> Read a.txt
tool> Read ok
model> text It is one.
then log lacks compacted
then request last contains go
# the next turn tries again
user> more
model> text SUMMARY of it.
note> carried_over words more, files {cwd}/a.txt
compacted> auto
model> text More.
