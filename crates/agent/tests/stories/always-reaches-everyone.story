# "always" holds for the session: for the main thread and for every agent, whoever asked

user> go
model> Agent general-purpose: make it
general-purpose model> Bash echo one>>a.txt
general-purpose ask> permission Bash echo one>>a.txt (once, always, no)
answer> always
general-purpose tool> Bash ok
general-purpose model> Bash echo one>>a.txt
general-purpose tool> Bash ok
general-purpose model> text made
tool> Agent ok made
model> Bash echo one>>a.txt
tool> Bash ok
model> Agent general-purpose: once more
general-purpose 2 model> Bash echo one>>a.txt
general-purpose 2 tool> Bash ok
general-purpose 2 model> text made
tool> Agent ok made
model> text Done.
then file a.txt = one\none\none\none\n
then log has rule-added behavior=allow
