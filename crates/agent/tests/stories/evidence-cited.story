# what a run in a scratch copy showed has an id, is in the log, and is listed with the plan that cites it; an id that does
# not exist is named

given file build.sh = touch made; mkdir -p target; touch target/x; echo built; exit 3
given file .gitignore = /target
given mode plan

user> go
note> plan_mode full no plan
model> Bash sh build.sh
ask> permission Bash sh build.sh (scratch, once, no)
answer> scratch
tool> Bash failed built [exit code 3] [it ran in a scratch copy; would have changed 3 files: 1 of the project (1 created), 2 of build output (ignored by git); kept for the commands after it until planning ends, then discarded] created {cwd}/made created folder {cwd}/target … [evidence E1]
model> Write {plan_file} = Make it work: it ends with 3 (E1). See E9.
tool> Write ok
model> ExitPlanMode
ask> plan 1 (…) Make it work: it ends with 3 (E1). See E9. cites: E1 sh build.sh cites: E9 unknown
answer> keep planning: no
tool> ExitPlanMode failed … no
model> Bash sh build.sh
ask> permission Bash sh build.sh (scratch, once, no)
answer> scratch
tool> Bash failed … [evidence E2]
model> text Seen.
reminded> Your turn ended
model> text Seen.
said> No plan was submitted
reopen> mode plan
user> again
model> Bash sh build.sh
ask> permission Bash sh build.sh (scratch, once, no)
answer> scratch
tool> Bash failed … [evidence E3]
model> text Seen.
said> No plan was submitted
then nothing changed
then log has 3 evidence tier=scratch, command~build.sh, exit_code=3, would_change.project=1
then log has 1 evidence id=1, would_change.ignored=2
# The copy is kept while the session plans: what was built there before is no change again.
then log has 1 evidence id=2, would_change.ignored=1
then log has 1 evidence id=3, would_change.ignored=2
then log has 1 protection tier=scratch
then request 1 contains can be cited by the id in its result
