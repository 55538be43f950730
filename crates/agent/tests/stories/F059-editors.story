# F059  the editor in the dialog: no change, a failure, a missing program, a deleted plan, a new inode

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = plan A
tool> Write ok
model> ExitPlanMode
ask> plan 1 … plan A
answer> edit
ask> editor {plan_file}
answer> runs: true
ask> plan 1 … plan A again: The plan is unchanged.
answer> edit
ask> editor {plan_file}
answer> runs: false
ask> plan 1 … plan A again: Failed to open plan in editor:
answer> edit
ask> editor {plan_file}
answer> runs: no-such-editor --wait "$1"
ask> plan 1 … plan A again: Failed to open plan in editor:
answer> edit
ask> editor {plan_file}
answer> runs: rm "$1"
ask> plan 1 … plan A again: The editor left no plan; the one from before is back.
then plan = plan A
answer> edit
ask> editor {plan_file}
answer> runs: printf 'plan B' > "$1.new" && mv "$1.new" "$1"
ask> plan 1 … plan B again: The plan was edited.
answer> edit
ask> editor {plan_file}
answer> dismiss
ask> plan 1 … plan B again: Failed to open plan in editor:
answer> edit
ask> editor {plan_file}
user> <ctrl-c>
tool> ExitPlanMode failed Interrupted
end> interrupted
then mode plan
then plan = plan B
