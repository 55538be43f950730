# half an answer came before the model gave up: it is void, the fallback gives the whole

user> go
model cut 7> text The answer is 41.
again> try 2 of 2: The model's answer was cut off before its end
warn> fallback: The model's answer was cut off before its end. script:
model fallback> text The answer is 42.
then log has 1 assistant
then request last lacks The ans
