# the window is full in the middle of an answer: its calls do not run, it is compacted, and goes on

given mode acceptEdits

user> write it
model stops context_full> text Writing. ∥ Write a.txt = half
tool> Write refused Not run: your answer was cut off
model> text SUMMARY: a.txt is to be written.
note> carried_over words write it
compacted> auto
model> Write a.txt = whole
tool> Write ok
model> text Done.
then file a.txt = whole
