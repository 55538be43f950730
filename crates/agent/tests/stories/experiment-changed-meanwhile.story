# A file that the user changes while its experiment waits is not overwritten, and nothing else is applied either

given settings {"plan": {"experiments": true}}
given file a.txt = one\n
given file b.txt = one\n
given mode plan

user> make both two
note> plan_mode full no plan
model> Read a.txt ∥ Read b.txt
2x tool> Read ok 1→one
model> Edit a.txt: one -> two ∥ Edit b.txt: one -> two
2x tool> Edit ok Edited
model> Write {plan_file} = # Two\n
tool> Write ok Created
model> ExitPlanMode
ask> plan 1 (acceptEdits, default, edit, keep, apply acceptEdits) # Two
world> printf 'mine\n' > b.txt
answer> apply acceptEdits
mode> plan -> acceptEdits by approval
said> The plan is approved, but the experiment was not applied: {cwd}/b.txt was changed meanwhile. No file was changed.
tool> ExitPlanMode ok User has approved your plan. … none of it was: {cwd}/b.txt was changed meanwhile.
note> experiment_gone
note> plan_mode_exit approved acceptEdits
model> Edit a.txt: one -> two
tool> Edit failed a.txt has changed since it was last read
model> text Done.
then file a.txt = one\n
then file b.txt = mine\n
then log has experiment-dropped reason~b.txt was changed meanwhile
then log lacks experiment-applied
user> /undo
said> No experiment was applied in this session
