# the provider fails, or its answer is cut: the turn says so, nothing half runs, and "go on" works

user> go
model fails 529> text never
error> The model's provider answered 529
end> failed: The model's provider answered 529
user> go on
model cut 7> text Half of a sentence that is cut.
error> the model's answer was cut off
end> failed: the model's answer was cut off
user> go on
model> text The rest.
then request 3 contains Half of
