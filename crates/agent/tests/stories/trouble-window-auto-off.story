# compact.auto is off: the user is told, and /compact makes room, also when the conversation does not fit

given settings {"compact": {"auto": false}}
given window 1000 tokens

user> one
model reads 990 writes 5> text One.
user> two
model fails full> text never
error> The conversation is larger than the model's window: … (Use /compact to make room
end> failed: The conversation is larger
user> /compact
model fails full> text never
model> text SUMMARY of one and two.
compacted> manual
user> three
model> text Three.
then log has compacted trigger=manual
