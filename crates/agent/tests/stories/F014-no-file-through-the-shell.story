# F014  what Write may not write is not written through a here-document, a program or a redirection either

given file src/a.txt = one
given file a.txt = one
given settings {"plan": {"commands": "deny"}}
given mode plan

user> go
note> plan_mode full no plan
model> Bash cat > n.md <<'E'\nhi\nE ∥ Bash python3 - <<'E'\nopen('n.md','w').write('x')\nE ∥ Bash echo x >> a.txt ∥ Bash : > a.txt
4x tool> Bash refused plan mode is active; only the plan file {plan_file} may be written
model> text Done.
said> No plan was submitted
then nothing changed
then no file n.md
