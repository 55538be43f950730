# F092  a question of the model is put in bypassPermissions as anywhere, whatever the rules allow; no answer is no success

given allow *
given allow AskUserQuestion
given bypass allowed
given mode bypassPermissions

user> go
model> AskUserQuestion Which? a / b
ask> user Which? (a, b)
answer> b
tool> AskUserQuestion ok Your questions have been answered: "Which?"="b".
model> AskUserQuestion Which? a / b
ask> user Which? (a, b)
answer> skip
tool> AskUserQuestion failed The user did not answer your questions
model> AskUserQuestion Which? a / b
ask> user Which? (a, b)
answer> dismiss
tool> AskUserQuestion failed The user did not answer your questions
model> AskUserQuestion Which? a / b
ask> user Which? (a, b)
answer> misfit
tool> AskUserQuestion failed The user did not answer your questions
model> text Yes.

