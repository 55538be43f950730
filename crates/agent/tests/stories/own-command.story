# !command runs in any mode, and the model is told with the next request; it is no human turn

given mode plan

user> !echo hi > a.txt && cat a.txt
said> hi
user> go
note> plan_mode full no plan
model> text I see.
said> No plan was submitted
then request 1 contains $ echo hi > a.txt && cat a.txt
then file a.txt = hi\n
then log has 1 user
