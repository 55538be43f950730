# the provider pauses a long answer: the same conversation goes out again, and nothing comes between

user> go
model stops pause_turn> text First half.
model> text Second half.
then requests were main, main
then request last contains First half.
then log has assistant stop=paused
# also when a note is due meanwhile: it waits for the request after the answer is whole
user> go on
model after 300 ms stops pause_turn> text Third.
during request> /plan
mode> default -> plan by command
said> Enabled plan mode
model> text Fourth.
said> No plan was submitted
user> and
note> plan_mode full no plan
model> text Fifth.
said> No plan was submitted
