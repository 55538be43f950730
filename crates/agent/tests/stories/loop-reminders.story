# reminders.requests = 3: in a long tool loop one sparse note every three requests

given file a.txt = alpha
given settings {"reminders": {"requests": 3}}
given mode plan

user> go
note> plan_mode full no plan
3x model> Read a.txt
3x tool> Read ok
note> plan_mode sparse
3x model> Read a.txt
3x tool> Read ok
note> plan_mode sparse
model> text Done.
said> No plan was submitted
