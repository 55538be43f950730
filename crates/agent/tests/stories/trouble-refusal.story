# the model refuses: its words are shown, nothing of the answer runs, and the turn has failed

given mode acceptEdits

user> go
model stops refusal> text I will not. ∥ Write a.txt = x
error> the model refused to answer (Say it differently
end> failed: the model refused to answer
user> go differently
model> text All right.
then no file a.txt
then request last contains I will not.
