# an answer that is paused again and again ends the turn, with what came of it

user> go
11x model stops pause_turn> text More.
error> the model's provider paused its answer too often (what it said is kept
end> failed: the model's provider paused
user> go on
model> text Done.
then request last contains More.
