# Deny rules, protected files and the world outside the project stay closed to experiments; agents make none

given settings {"plan": {"experiments": true}}
given deny Edit(secret/**)
given file secret/key = one\n
given file a.txt = one\n
given mode plan

user> try it
note> plan_mode full no plan
model> Read a.txt
tool> Read ok 1→one
model> Write secret/key = two
tool> Write refused `Write(secret/key)` was not run: the user's permission rule `Edit(secret/**)` denies it.
model> Write .git/hooks/pre-commit = two
tool> Write refused plan mode is active; … is protected: git runs programs named there.)
model> Write {outside}/x = two
tool> Write refused plan mode is active; … is outside the project.)
model> Agent general-purpose: edit a.txt
general-purpose note> plan_mode full no plan
general-purpose model> Write a.txt = two
general-purpose tool> Write refused this agent is read-only
general-purpose model> text No.
tool> Agent ok No.
model> text Done.
said> No plan was submitted
then nothing changed
