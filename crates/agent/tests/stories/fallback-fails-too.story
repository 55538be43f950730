# what will not pass by itself goes to nobody else; and where the fallback gives up too, the turn has failed

user> one
model fails 401> text never
error> The model's provider answered 401
end> failed: The model's provider answered 401
user> two
model fails 500> text never
warn> fallback: The model's provider answered 500
model fallback fails 503> text never
error> The model's provider answered 503
end> failed: The model's provider answered 503
