# I1  killed while writing: the torn line is dropped and told, and the session goes on

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> ExitPlanMode
ask> plan 1
kill>
world> printf '{"type":"plan-decision","revision":1,"deci' >> "$LOG"
reopen>
warn> log: line … of the session log: it is incomplete
ask> plan 1 … the plan
answer> keep planning: no
tool> ExitPlanMode failed … Their feedback: no
model> text Yes.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
then mode plan
