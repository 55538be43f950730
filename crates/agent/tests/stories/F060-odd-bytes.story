# F060  Latin-1 bytes, NULs, a byte-order mark, escapes: shown inert with a warning, or a clear error; no panic

given mode plan

user> go
note> plan_mode full no plan
model> Bash ls
tool> Bash ok
model> text Looked.
said> No plan was submitted
world> printf 'caf\351' > "$P"
user> submit
warn> plan-file: some bytes of the plan file are not text
model> ExitPlanMode
ask> plan 1 … caf�
answer> keep planning: odd
tool> ExitPlanMode failed … odd
model> text Yes.
said> No plan was submitted
world> printf 'nul \000 here' > "$P"
user> submit
model> ExitPlanMode
ask> plan 2
answer> keep planning: odd
tool> ExitPlanMode failed … odd
model> text Yes.
said> No plan was submitted
world> printf '\357\273\277marked \033[2J\033]0;x\007 \342\200\256 \360\237\246\246' > "$P"
user> /plan
said> Current Plan {plan_file} marked ␛[2J␛]0;x␇ <U+202E> 🦦
user> submit
model> ExitPlanMode
ask> plan 3 … marked
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved default
model> text Done.
