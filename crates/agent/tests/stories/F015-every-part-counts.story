# F015  a line is judged by all its parts, not by its first word

given file src/a.txt = one
given file a.txt = one
given settings {"plan": {"commands": "deny"}}
given mode plan

user> go
note> plan_mode full no plan
model> Bash ls && touch x ∥ Bash ls; rm a.txt ∥ Bash git log | sh ∥ Bash cat a.txt & touch x ∥ Bash ls\ntouch x ∥ Bash ls || touch x ∥ Bash (ls; touch x) ∥ Bash { ls; touch x; } ∥ Bash ! touch x
9x tool> Bash refused plan mode is active; only the plan file {plan_file} may be written
model> text Done.
said> No plan was submitted
then nothing changed
