# unknown tools, unknown fields and wrong types are errors the model can act on

user> go
model> Raed {"file_path": "a"} ∥ Read {"file": "a"} ∥ Read {"file_path": 7} ∥ Read {} ∥ Bash {"command": ""} ∥ Agent {"subagent_type": "Wizard", "description": "d", "prompt": "p"}
tool> Raed refused There is no tool named `Raed`. Did you mean `Read`?
tool> Read refused The input of `Read` is not valid: … `file`
tool> Read refused The input of `Read` is not valid: … `file_path` … expected a string
tool> Read refused The input of `Read` is not valid: missing field `file_path`
tool> Bash refused The input of `Bash` is not valid: `command` is empty
tool> Agent failed There is no agent type `Wizard`.
model> AskUserQuestion {"questions": []} ∥ TodoWrite {"todos": [{"content": "x"}]} ∥ mcp__none__x {}
tool> AskUserQuestion refused … one to four questions
tool> TodoWrite refused … `activeForm`
tool> mcp__none__x refused There is no tool named `mcp__none__x`.
model> text Done.
