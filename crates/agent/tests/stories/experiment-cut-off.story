# The program dies between the approval of an experiment and its application: the mode is restored, no file was changed

given settings {"plan": {"experiments": true}}
given file a.txt = one\n
given mode plan

user> make it two
note> plan_mode full no plan
model> Read a.txt
tool> Read ok 1→one
model> Edit a.txt: one -> two
tool> Edit ok Edited
model> Write {plan_file} = # Two\n
tool> Write ok Created
model> ExitPlanMode
ask> plan 1 (acceptEdits, default, edit, keep, apply acceptEdits) # Two
kill>
world> S=$(grep '"plan-submitted"' "$LOG" | grep -o '"sha256":"[0-9a-f]*"'); echo '{"type":"plan-decision","revision":1,'$S',"decision":"approved","choice":"approve-apply:acceptEdits","by":"user","uuid":"00000000-0000-7000-8000-000000000000","timestamp":"2026-12-01T00:00:00Z"}' >> "$LOG"
reopen> somebody to ask
said> The experiment that was approved with the plan was not applied
mode> plan -> acceptEdits by approval
said> The last turn was cut off
user> go on
note> experiment_gone
note> plan_mode_exit approved acceptEdits
model> text I will.
then nothing changed
then mode acceptEdits
then log has 1 experiment-dropped
