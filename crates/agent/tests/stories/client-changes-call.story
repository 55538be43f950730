# client  A client's yes with another input: the changed call is judged, runs, and the model is told

given file a.txt = one
given ask Bash(echo *)

user> go
model> Bash touch x
ask> permission Bash touch x
answer> granted {"command": "touch y"}
tool> Bash ok The user changed this call before it ran; what ran is Bash(touch y).
model> Write b.txt = mine
ask> permission Write b.txt
answer> granted {"file_path": "b.txt", "content": "theirs"}
tool> Write ok The user changed this call before it ran; what ran is Write(b.txt).
# The model does not know what the file holds now.
model> Edit b.txt: mine -> more
ask> permission Edit b.txt
answer> granted
tool> Edit failed …
model> text Done.
then no file x
then file y = 
then file b.txt = theirs
then log has 3 permission-decision verdict=allow, by=user
