# a plan of 3 MB, and one with a line of 50 kB: shown whole, submitted, and given to the model bounded

given mode plan

user> go
note> plan_mode full no plan
model> Bash ls
tool> Bash ok
model> text Yes.
said> No plan was submitted
world> yes 'a line of the plan' | head -c 3000000 > "$P"
user> submit
model> ExitPlanMode
ask> plan 1 … a line of the plan
answer> keep planning: shorter
tool> ExitPlanMode failed … shorter
model> text Yes.
said> No plan was submitted
world> head -c 50000 /dev/zero | tr '\0' x > "$P"
user> submit
model> ExitPlanMode
ask> plan 2 … xxxxxxxx
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok … xxxxxxxx
note> plan_mode_exit approved default
model> text Done.
user> /plan again
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode_reentry
note> plan_mode full plan exists
model> text Yes.
said> No plan was submitted
world> yes 'a line of the plan' | head -c 3000000 > "$P"
user> submit
model> ExitPlanMode
ask> plan 3
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok … [Cut here:
note> plan_mode_exit approved default
model> text Done.
