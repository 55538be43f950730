# B3  plansDirectory outside the project: a warning that names the setting, and the default place

given settings {"plansDirectory": "../outside"}

warn> settings: … `plansDirectory` … outside the project … plans go to {config}/plans instead
user> /plan go
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> text Looked.
said> No plan was submitted
then log has plan-slug path~{plan_file}
then request 1 contains {plan_file}
