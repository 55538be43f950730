# a paused answer that does not fit any more is compacted like any other, and the notes that are due come with it

given mode plan

user> go
note> plan_mode full no plan
model stops pause_turn> text First half.
model fails full> text never
model> text SUMMARY: half of it.
note> carried_over words go
compacted> auto
note> plan_mode full no plan
model> text Second half.
said> No plan was submitted
then request last contains SUMMARY: half of it.
