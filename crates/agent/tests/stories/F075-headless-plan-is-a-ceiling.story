# F075  a run started in plan with nobody to ask ends with the plan pending; nothing is edited; the answer
# can come later, from outside

given file src/a.txt = one
given mode plan
given nobody to ask

user> edit a.txt
note> plan_mode full no plan
model> Edit src/a.txt: one -> two ∥ Bash make
tool> Edit refused plan mode is active
tool> Bash refused … there is nobody to give it
model> Read src/a.txt ∥ Write {plan_file} = make it two
tool> Read ok
tool> Write ok
model> ExitPlanMode
end> plan pending
then mode plan
then nothing changed
then log has plan-submitted revision=1, text=make it two
then log lacks plan-decision
reopen> approve acceptEdits
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok User has approved your plan … make it two
note> plan_mode_exit approved acceptEdits
model> Edit src/a.txt: one -> two
tool> Edit ok
model> text Done.
then file src/a.txt = two
then mode acceptEdits
