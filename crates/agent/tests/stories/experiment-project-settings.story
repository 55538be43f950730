# A project that is not trusted cannot turn experiments on

given project settings {"plan": {"experiments": true}}
given file a.txt = one\n
given mode plan

warn> settings: … `plan.experiments`
user> make it two
note> plan_mode full no plan
model> Write a.txt = two
tool> Write refused plan mode is active
model> text Done.
said> No plan was submitted
then nothing changed
