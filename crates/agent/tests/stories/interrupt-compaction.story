# Ctrl-C while the summary is written: nothing is compacted

user> hello
model> text Hello.
user> /compact
model after 60000 ms> text too late
during request> <ctrl-c>
said> Stopped; nothing was compacted.
user> go on
model> text Going on.
then log lacks compacted
then request last contains hello
