# a limit of requests ends the turn, and says so

given max 3 requests
given file a.txt = alpha

user> go
3x model> Read a.txt
3x tool> Read ok
end> limit: the turn was ended after 3 model requests
user> go on
model> text Done.
