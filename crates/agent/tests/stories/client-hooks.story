# client  Hooks are asked before a call is judged: the strictest wins, and an allow opens nothing

given file a.txt = one
given ask Bash(mkdir *)

user> <hooks>
wish> done
user> go
model> Read a.txt
ask> hook Read default {"file_path":"a.txt"}
answer> deny not that one
tool> Read refused … not that one
model> Bash touch x
ask> hook Bash default {"command":"touch x"}
answer> allow
tool> Bash ok
model> Bash ls
ask> hook Bash default {"command":"ls"}
answer> ask
ask> permission Bash ls (…) the hook `guard` wants you to decide
answer> granted
tool> Bash ok
model> Bash mkdir d
ask> hook Bash default {"command":"mkdir d"}
answer> allow
ask> permission Bash mkdir d
answer> no: no
tool> Bash refused …
model> Bash touch y
ask> hook Bash default {"command":"touch y"}
answer> nothing {"command": "touch z"}
ask> permission Bash touch z
answer> granted
tool> Bash ok The user changed this call before it ran; what ran is Bash(touch z).
model> Bash touch w
ask> hook Bash default {"command":"touch w"}
user> <nobody answers>
tool> Bash refused Bash was not run: a hook wants to hear of every call first, and could not be asked.
model> text Done.
then file x = 
then no file d
then no file y
then file z = 
then log has permission-decision by=hook guard, verdict=deny
