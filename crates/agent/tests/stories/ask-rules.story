# an ask rule asks wherever it fits, for calls that would run side by side as well; a deny rule where it may fit

given file a.txt = alpha
given file secret.txt = s
given file other.txt = o
given ask Read(./secret.txt)
given deny Read(./other.txt)

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
model> Bash cat oth*
ask> permission Bash cat oth* (once, no) the rule `Read(./other.txt)` may forbid it: only running it would tell
answer> no
tool> Bash refused
model> text Done.
