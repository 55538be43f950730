# D1  ExitPlanMode outside plan mode is an error; inside it asks; its input is strict

user> go
model> ExitPlanMode
tool> ExitPlanMode refused You are not in plan mode. This tool is only for exiting plan mode after writing a plan. If your plan was already approved, continue with implementation.
model> text Right.
user> /plan
mode> default -> plan by command
said> Enabled plan mode
user> plan it
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> ExitPlanMode {"plan": "another plan"}
tool> ExitPlanMode refused The input of `ExitPlanMode` is not valid: … unknown field `plan`
model> ExitPlanMode
ask> plan 1 (acceptEdits, default, edit, keep) the plan
answer> approve acceptEdits
mode> plan -> acceptEdits by approval
tool> ExitPlanMode ok User has approved your plan. You can now start coding. Start with updating your todo list if applicable
note> plan_mode_exit approved acceptEdits
model> text Working.
then mode acceptEdits
