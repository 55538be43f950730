# Ctrl-C while a request waits to be put again

user> go
model again 9 after 60000 ms> text The answer is 42.
again> try 2 of 2: The script says so
during again> <ctrl-c>
end> interrupted
user> go on
model> text Going on.
then log lacks assistant blocks.0.text~The answer
then log has interrupted
