# A4  /plan while planning shows the plan, its path, and how to edit it; escapes in it are shown inert

given editor Neovim

user> /plan write it
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> Write {plan_file} = # The plan\n\n\e[2J1. do it\n
tool> Write ok Created {plan_file}
model> ExitPlanMode
ask> plan 1
answer> keep planning
tool> ExitPlanMode failed The user wants to keep planning
model> text What should change?
reminded> Your turn ended without ExitPlanMode and without a question, so no plan was submitted.
model> text Tell me first.
said> No plan was submitted
user> /plan
said> Current Plan {plan_file} # The plan ␛[2J1. do it "/plan open" to edit this plan in Neovim
user> /plan make it shorter
said> Current Plan {plan_file} # The plan …
offer> make it shorter
then mode plan
