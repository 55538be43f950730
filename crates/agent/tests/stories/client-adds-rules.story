# client  Rules that come with a client's yes hold from here on; all of it counts, or nothing does

user> go
model> Bash touch x
ask> permission Bash touch x
answer> granted Bash(touch *), deny Bash(rm *)
tool> Bash ok
model> Bash touch y ∥ Bash rm x
tool> Bash ok
tool> Bash refused …
model> Bash mkdir d
ask> permission Bash mkdir d
answer> granted Bash(mkdir *), NoTool(x)
tool> Bash refused Bash was not run: the yes to it came with something that this session cannot do (the rule `NoTool(x)`: …
model> Bash mkdir d
ask> permission Bash mkdir d
answer> declined: not now
tool> Bash refused … Their reason: not now
model> text Done.
then file x = 
then file y = 
then no file d
then log has rule-added behavior=allow, rule=Bash(touch *)
then log has rule-added behavior=deny, rule=Bash(rm *)
then log lacks rule-added rule=Bash(mkdir *)
