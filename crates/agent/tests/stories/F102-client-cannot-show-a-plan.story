# F102  A client that can ask nobody: a plan waits, and a call is refused for that; neither is the user's no

given mode plan

user> go
note> plan_mode full no plan
model> Bash npm install
ask> permission Bash npm install
answer> nobody
tool> Bash refused …
model> Write {plan_file} = the plan
tool> Write ok
model> ExitPlanMode
ask> plan 1 …
answer> nobody
end> plan pending
then mode plan
then log lacks plan-decision
then log has 1 permission-decision tool=Bash, by=nobody
user> <client mode default>
mode> plan -> default by client
wish> done
then mode default
