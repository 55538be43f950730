# a command in a scratch copy, stopped in the middle: nothing of it is left, and it is no evidence

given file slow.sh = touch made; sleep 300
given mode plan
given settings {"plan": {"commands": "scratch"}}

user> go
note> plan_mode full no plan
model> Bash sh slow.sh
during Bash> <ctrl-c>
tool> Bash failed
end> interrupted
then nothing changed
then no file made
then log lacks evidence
