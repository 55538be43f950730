# F009  the todo list is state of the agent: nothing appears in the project

given file src/a.txt = one
given mode plan

user> go
note> plan_mode full no plan
model> TodoWrite look, write, submit
tool> TodoWrite ok The todo list is updated: 0 of 3 done.
model> text Listed.
said> No plan was submitted
then nothing changed
then log has todos todos.0.content=look
