# F067  the path in the note is the path the gate accepts, with plansDirectory, after compaction and resume

given settings {"plansDirectory": "notes/../plans"}
given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = plan A
tool> Write ok
model> text Yes.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
then request 1 contains Plan file: {plan_file}
then log has plan-slug path={plan_file}
user> /compact
model> text SUMMARY
note> plan_file_reference draft
compacted> manual
reopen>
user> again
note> plan_mode full plan exists
model> Read {plan_file}
tool> Read ok … plan A
model> Edit {plan_file}: A -> B
tool> Edit ok
model> text Yes.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
then request last contains Plan file: {plan_file}
then plan = plan B
