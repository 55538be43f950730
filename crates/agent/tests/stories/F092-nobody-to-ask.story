# F092  nobody to ask: an error, not a made-up answer

given nobody to ask

user> go
model> AskUserQuestion Which? a / b
tool> AskUserQuestion refused
model> text Yes.
