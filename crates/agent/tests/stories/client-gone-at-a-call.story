# client  The client goes away at a question about a call: the turn goes on without the call

user> go
model> Bash touch x
ask> permission Bash touch x
user> <nobody answers>
tool> Bash refused …
model> AskUserQuestion Which? a / b
tool> AskUserQuestion failed …
model> text I could not.
end> permission missing
then no file x
