# Ctrl-C while a conversation is compacted by itself: the turn stops, and nothing was compacted

given file a.txt = one
given window 1000000 tokens

user> go
model reads 960000 writes 100> Read a.txt
tool> Read ok
model after 60000 ms> text too late
during request> 
during request> <ctrl-c>
end> interrupted
then log lacks compacted
