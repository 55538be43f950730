# F020  `>&word` writes a file, `2>&1` does not

given file src/a.txt = one
given file a.txt = one
given settings {"plan": {"commands": "deny"}}
given mode plan

user> go
note> plan_mode full no plan
model> Bash echo x >& f ∥ Bash echo x >&f ∥ Bash echo x &> f ∥ Bash ls 1> f ∥ Bash ls 2> f ∥ Bash ls >| f ∥ Bash exec 3> f ∥ Bash ls > /dev/null > f
8x tool> Bash refused plan mode is active; only the plan file {plan_file} may be written
model> Bash ls 2>&1 ∥ Bash ls >&2 ∥ Bash ls 2>/dev/null ∥ Bash ls &>/dev/null ∥ Bash ls 2>&-
tool> Bash ok a.txt
tool> Bash ok a.txt
tool> Bash ok a.txt
tool> Bash ok
tool> Bash ok a.txt
model> text Done.
said> No plan was submitted
then nothing changed
then no file f
