# B3  plansDirectory that is a link out of the project

given link notes -> {outside}
given settings {"plansDirectory": "notes"}

warn> settings: … `plansDirectory` … outside the project … plans go to {config}/plans instead
user> /plan go
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> Write {outside}/x.md = x ∥ Write notes/x.md = x
tool> Write refused plan mode is active; only the plan file {plan_file} may be written
tool> Write refused plan mode is active; only the plan file {plan_file} may be written
model> text Refused.
said> No plan was submitted
then no file {outside}/x.md
