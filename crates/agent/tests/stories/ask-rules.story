# an ask rule asks wherever it fits, for calls that would run side by side as well

given file a.txt = alpha
given file secret.txt = s
given ask Read(./secret.txt)

user> go
model> Read a.txt ∥ Read secret.txt ∥ Read a.txt
ask> permission Read secret.txt (once, no) the rule `Read(./secret.txt)` asks for it
answer> once
tool> Read ok … alpha
tool> Read ok … s
tool> Read ok … alpha
model> Read secret.txt ∥ Read a.txt
ask> permission Read secret.txt
answer> no: not again
tool> Read refused … not again
tool> Read ok
model> text Done.
