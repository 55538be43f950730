# F022  git is no reader: what is not committed is not lost

given file src/a.txt = one
given file a.txt = one
given settings {"plan": {"commands": "deny"}}
given mode plan

world> git init -q . && git add . && git -c user.name=a -c user.email=a@x commit -qm one && git branch r && git tag v1 && printf pending > src/a.txt
user> go
note> plan_mode full no plan
model> Bash git checkout -- src/a.txt ∥ Bash git restore . ∥ Bash git switch - ∥ Bash git stash ∥ Bash git clean -fd ∥ Bash git fetch ∥ Bash git gc ∥ Bash git bisect start ∥ Bash git config user.name x ∥ Bash git worktree add ../w
10x tool> Bash refused plan mode is active; only the plan file {plan_file} may be written
model> text Done.
said> No plan was submitted
then file src/a.txt = pending
then file a.txt = one
then no file x
then no file d
then no file out
world> test "$(git branch --list | wc -l)" = 2 && git tag | grep -qx v1 && test -z "$(git remote)$(git stash list)"
