# the model gives up: the fallback answers for the rest of the turn, tools and all, and the next turn asks the first again

given file a.txt = one

user> go
model fails 529> text never
warn> fallback: The model's provider answered 529: the script says so. script:…/fallback.json… answers for the rest of this turn.
model fallback> Read a.txt
tool> Read ok
model fallback> text It is one.
user> and now?
said> model: script:…/main.json
model> text Back again.
then log has 2 assistant model~fallback.json
then log has 1 assistant model~main.json
