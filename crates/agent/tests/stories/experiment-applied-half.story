# The program dies while an experiment is applied: the user and the model are told, and /undo takes back what was done

given settings {"plan": {"experiments": true}}
given file a.txt = one\n
given file b.txt = one\n
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
world> S=$(grep '"plan-submitted"' "$LOG" | grep -o '"sha256":"[0-9a-f]*"'); M='"uuid":"00000000-0000-7000-8000-000000000000","timestamp":"2026-12-01T00:00:00Z"'; T=$(printf 'two\n' | sha256sum | cut -c1-64); { echo '{"type":"plan-decision","revision":1,'$S',"decision":"approved","choice":"approve-apply:acceptEdits","by":"user",'$M'}'; echo '{"type":"permission-mode","from":"plan","to":"acceptEdits","cause":"approval",'$M'}'; echo '{"type":"experiment-applied","files":[{"path":"'$PWD'/a.txt","before":{"text":"one\u000a"},"sha256":"'$T'"},{"path":"'$PWD'/b.txt","before":{"text":"one\u000a"},"sha256":"'$T'"}],'$M'}'; } >> "$LOG"; printf 'two\n' > a.txt
reopen> somebody to ask
said> The program ended while the experiment was being applied: some of these files may be changed: {cwd}/a.txt, {cwd}/b.txt. `/undo` takes it back
said> The last turn was cut off
user> go on
note> plan_mode_exit approved acceptEdits
model> text I look.
then file a.txt = two\n
then request last contains each of these files is either as it was or as you tried it

user> /undo
said> The experiment is taken back: {cwd}/a.txt, {cwd}/b.txt.
then nothing changed
