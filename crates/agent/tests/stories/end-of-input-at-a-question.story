# the end of input at a question is a no, and the end of the session

user> go
model> Bash make ∥ Bash touch never
ask> permission Bash make
user> <end of input>
tool> Bash refused
tool> Bash refused
end> interrupted
then no file never
