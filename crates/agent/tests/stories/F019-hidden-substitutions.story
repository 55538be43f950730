# F019  a command hidden in a substitution is found, and what cannot be taken apart is not known to read

given file src/a.txt = one
given file a.txt = one
given settings {"plan": {"commands": "deny"}}
given mode plan

user> go
note> plan_mode full no plan
model> Bash echo "$\\\n(touch x)" ∥ Bash a='$(touch x)'; echo "${a@P}" ∥ Bash echo `touch x` ∥ Bash echo <(touch x) ∥ Bash cat <<E\n$(touch x)\nE ∥ Bash echo ${x:=$(touch x)} ∥ Bash [[ a -eq b[$(touch x)] ]] ∥ Bash echo $((a[$(touch x)]))
8x tool> Bash refused plan mode is active; only the plan file {plan_file} may be written
model> text Done.
said> No plan was submitted
then nothing changed
then no file x
