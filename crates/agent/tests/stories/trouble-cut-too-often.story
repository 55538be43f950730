# a model whose calls are cut at its output limit again and again does not stop by itself: the turn ends

given mode acceptEdits

user> go
model stops max_tokens> Write a.txt = ha
tool> Write refused Not run: your answer was cut off at its length limit
model stops max_tokens> Write a.txt = ha
tool> Write refused Not run: your answer was cut off at its length limit
model stops max_tokens> Write a.txt = ha
tool> Write refused Not run: your answer was cut off at its length limit
model stops max_tokens> Write a.txt = ha
tool> Write refused Not run: your answer was cut off at its length limit
error> The model's calls were cut at its output limit several times in a row; none of them ran
end> failed: The model's calls were cut
then no file a.txt
