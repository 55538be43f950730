# Ctrl-C while the model is slow: the turn is over at once, and nothing of the answer runs

user> go
model after 60000 ms> Write never = x
during request> <ctrl-c>
end> interrupted
then no file never
user> go on
model> text Going on.
