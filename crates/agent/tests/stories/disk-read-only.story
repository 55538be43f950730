# the config home becomes read-only in the middle: the plan cannot be written, the message names the path,
# and the user can still leave plan mode

given disk of its own
given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = the plan
tool> Write ok
model> text Yes.
reminded> Your turn ended
model> text Later.
said> No plan was submitted
world> mount --bind "$CONFIG" "$CONFIG" && mount -o remount,ro,bind "$CONFIG"
user> go on
model> Write {plan_file} = another plan
tool> Write failed … {plan_file} … read-only
model> ExitPlanMode
ask> plan 1 … the plan
answer> approve default edited: an edited plan
ask> plan 1 … the plan again: The edited plan could not be saved: cannot write … {plan_file} … read-only
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved default
model> text Done.
then plan = the plan
then mode default
