# it does not fit even then: a clear error, and no third try

user> one
model> text One.
user> two
model fails full> text never
model> text SUMMARY of one.
note> carried_over words two
compacted> auto
model fails full> text never
error> The conversation is larger than the model's window: the script says so (Use /compact to make room
end> failed: The conversation is larger
# the next turn begins anew
user> three
model> text Three.
