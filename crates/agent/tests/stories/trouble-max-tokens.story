# an answer that ends at its length limit: a call in it may be half and never runs, and the model is told; text alone is told to the user

given mode acceptEdits

user> go
model stops max_tokens> text Writing. ∥ Write a.txt = ha
tool> Write refused Not run: your answer was cut off at its length limit
model stops max_tokens> text It is a long story and
warn> length: The answer ended at the model's length limit
then no file a.txt
then log lacks permission-decision
