# F075  nobody to ask, and words are sent while a plan waits: they are what should change

given mode plan
given nobody to ask

user> plan it
note> plan_mode full no plan
model> Write {plan_file} = big
tool> Write ok
model> ExitPlanMode
end> plan pending
reopen>
user> smaller please
tool> ExitPlanMode failed … Their feedback: smaller please
model> Write {plan_file} = small
tool> Write ok
model> ExitPlanMode
end> plan pending
then mode plan
then log has plan-decision decision=rejected, feedback=smaller please
then log has plan-submitted revision=2, text=small
