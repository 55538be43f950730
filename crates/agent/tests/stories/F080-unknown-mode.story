# F080  a log whose last mode is unknown opens as default, with a warning, never looser

given file src/a.txt = one
given bypass allowed
given mode bypassPermissions

user> hello
model> text Hello.
world> printf '{"type":"permission-mode","from":"bypassPermissions","to":"bubble","cause":"whim","uuid":"00000000-0000-4000-8000-000000000001","timestamp":"2026-11-30T00:00:00Z"}\n{"type":"thought","uuid":"00000000-0000-4000-8000-000000000002","timestamp":"2026-11-30T00:00:00Z"}\n' >> "$LOG"
reopen>
warn> log: line … unknown permission mode `bubble`, read as `default`
warn> log: line … an entry of type "thought" that this version does not know; kept and ignored
then mode default
user> edit
model> Write src/b.txt = x
ask> permission Write src/b.txt
answer> no
tool> Write refused
model> text Refused.
then nothing changed
