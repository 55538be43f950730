# client  A client's wishes are done at once, also while something is asked, and each is answered

user> go
model> Write a.txt = a
ask> permission Write a.txt
user> <client mode bypassPermissions>
wish> refused: bypassPermissions can only be used in a session started with --allow-bypass.
user> <client mode plan>
mode> default -> plan by client
wish> done
user> <client model nowhere:x>
wish> refused: there is no model `nowhere:x` in this story
answer> granted
tool> Write refused …
note> plan_mode full no plan
model> text The sky is blue.
said> No plan was submitted
user> <client mode default>
mode> plan -> default by client
wish> done
then no file a.txt
then mode default
