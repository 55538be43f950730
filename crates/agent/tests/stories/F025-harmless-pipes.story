# F025  pipes, `;` and stderr merged are read for what their parts do, and no allow rule makes a write of them pass

given file src/a.txt = one
given file a.txt = one
given allow Bash
given settings {"plan": {"commands": "deny"}}
given mode plan

world> git init -q . && git add . && git -c user.name=a -c user.email=a@x commit -qm one && git branch r && git tag v1 && printf pending > src/a.txt
user> go
note> plan_mode full no plan
model> Bash ls -la src 2>&1; touch x ∥ Bash rg -l x | xargs rm
2x tool> Bash refused plan mode is active; only the plan file {plan_file} may be written
model> Bash ls -la src 2>&1 ∥ Bash git log --oneline | head -5 ∥ Bash cd src && ls ∥ Bash grep -rn x . 2>/dev/null | wc -l ∥ Bash grep -rl pending src | xargs ls -1t
tool> Bash ok … a.txt
tool> Bash ok … one
tool> Bash ok a.txt
tool> Bash ok
tool> Bash ok src/a.txt
model> text Done.
said> No plan was submitted
then file src/a.txt = pending
then file a.txt = one
then no file x
then no file d
then no file out
world> test "$(git branch --list | wc -l)" = 2 && git tag | grep -qx v1 && test -z "$(git remote)$(git stash list)"
