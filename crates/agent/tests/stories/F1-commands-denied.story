# F1  plan.commands = deny: a command of which nothing is proven is refused, and nobody is asked

given mode plan
given settings {"plan": {"commands": "deny"}}

user> go
note> plan_mode full no plan
model> Bash npm install ∥ Bash ls
tool> Bash refused plan mode is active; only the plan file {plan_file} may be written … `plan.commands` is `deny`
tool> Bash ok
model> text Done.
said> No plan was submitted
