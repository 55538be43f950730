# F017  an option that writes makes a writer of a program that otherwise reads

given file src/a.txt = one
given file a.txt = one
given settings {"plan": {"commands": "deny"}}
given mode plan

world> git init -q . && git add . && git -c user.name=a -c user.email=a@x commit -qm one && git branch r && git tag v1 && printf pending > src/a.txt
user> go
note> plan_mode full no plan
model> Bash git diff --output=x ∥ Bash git log --output=x ∥ Bash git show --output=x ∥ Bash git archive -o t.tar HEAD ∥ Bash git format-patch -1 -o d ∥ Bash sort --outpu=x a.txt ∥ Bash sort -r -o a.txt a.txt ∥ Bash sort -r -oa.txt a.txt ∥ Bash uniq a.txt out ∥ Bash file -C -m m ∥ Bash javac -version -d out A.java ∥ Bash git branch -D r ∥ Bash git branch new ∥ Bash git tag -d v1 ∥ Bash git remote set-url origin u ∥ Bash tee x ∥ Bash date -s now
17x tool> Bash refused plan mode is active; only the plan file {plan_file} may be written
model> Bash git diff ∥ Bash git branch --show-current ∥ Bash git remote -v ∥ Bash sort a.txt
tool> Bash ok … +pending
tool> Bash ok
tool> Bash ok
tool> Bash ok one
model> text Done.
said> No plan was submitted
then file src/a.txt = pending
then file a.txt = one
then no file x
then no file d
then no file out
world> test "$(git branch --list | wc -l)" = 2 && git tag | grep -qx v1 && test -z "$(git remote)$(git stash list)"
