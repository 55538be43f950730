# F012  a deny rule on reading a secret holds while planning as it does otherwise, for agents too

given file .env = TOKEN=hunter2
given file src/a.txt = one
given deny Read(./.env)

user> look
model> Read .env ∥ Bash cat .env
tool> Read refused … the user's permission rule `Read(./.env)` denies it
tool> Bash refused … the user's permission rule `Read(./.env)` denies it
model> text Denied.
user> /plan go
mode> default -> plan by command
said> Enabled plan mode
note> plan_mode full no plan
model> Read .env ∥ Read {cwd}/src/../.env ∥ Grep {"pattern": "TOKEN", "path": ".env"}
tool> Read refused … the user's permission rule `Read(./.env)` denies it
tool> Read refused … the user's permission rule `Read(./.env)` denies it
tool> Grep refused … the user's permission rule `Read(./.env)` denies it
model> Bash cat .env ∥ Grep {"pattern": "TOKEN", "output_mode": "content"}
tool> Bash refused … the user's permission rule `Read(./.env)` denies it
tool> Grep ok
model> Agent Explore: read .env
Explore note> plan_mode full no plan
Explore model> Read .env
Explore tool> Read refused … the user's permission rule `Read(./.env)` denies it
Explore model> text denied
tool> Agent ok denied
model> text Denied.
said> No plan was submitted
then request last lacks hunter2
