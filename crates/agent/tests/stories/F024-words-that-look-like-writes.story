# F024  a read is not refused because a word in it looks like a write

given file src/a.txt = one
given file a.txt = one
given file removed/b.txt = b
given file install.md = read me
given settings {"plan": {"commands": "deny"}}
given mode plan

world> git init -q -b master . && git add . && git -c user.name=a -c user.email=a@x commit -qm one && git branch r && git tag v1 && printf pending > src/a.txt
user> go
note> plan_mode full no plan
model> Bash git merge-base master HEAD ∥ Bash mb=$(git rev-parse HEAD) ∥ Bash git log --grep=reset ∥ Bash grep -rn "rm -rf" . ∥ Bash ls removed/ ∥ Bash cat install.md
tool> Bash ok
tool> Bash ok
tool> Bash ok
tool> Bash failed
tool> Bash ok b.txt
tool> Bash ok read me
model> text Done.
said> No plan was submitted
then file removed/b.txt = b
