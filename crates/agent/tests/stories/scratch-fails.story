# a command in a scratch copy that fails, and one that prints too much: the result says how it ended and what it would have
# changed, and the output is cut in the middle

given file fail.sh = rm a.txt; exit 7
given file loud.sh = touch made; seq 1 20000
given file a.txt = one
given mode plan
given settings {"plan": {"commands": "scratch"}}

user> go
note> plan_mode full no plan
model> Bash sh fail.sh
tool> Bash failed … [exit code 7] … would have changed 1 file: 1 of the project (1 deleted); kept for the commands after it until planning ends, then discarded] … [evidence E1]
model> Bash sh loud.sh
tool> Bash ok 1 2 3 … would have changed 1 file: 1 of the project (1 created); kept for the commands after it until planning ends, then discarded] … [evidence E2]
model> text Seen.
said> No plan was submitted
then nothing changed
then log has evidence id=2
