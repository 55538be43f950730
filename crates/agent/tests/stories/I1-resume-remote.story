# I1  in a remote environment a lost plan is put back from the log: from a snapshot, kept at every change

given remote
given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = plan one
tool> Write ok
model> Edit {plan_file}: one -> two
tool> Edit ok
model> text Written.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
then log has 2 file_snapshot
then log has file_snapshot files.0.key=plan, files.0.content=plan two, files.0.path={plan_file}
world> rm "$P"
reopen>
said> The plan file was put back from a snapshot: {plan_file}
then plan = plan two
then mode plan
