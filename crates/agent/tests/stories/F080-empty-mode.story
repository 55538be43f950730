# F080  the same with an empty and with a missing mode

given mode acceptEdits

user> hello
model> text Hello.
world> printf '{"type":"permission-mode","from":"acceptEdits","to":"","uuid":"00000000-0000-4000-8000-000000000001","timestamp":"2026-11-30T00:00:00Z"}\n' >> "$LOG"
reopen>
warn> log: line … unknown permission mode ``, read as `default`
then mode default
user> /mode acceptEdits
mode> default -> acceptEdits by command
said> permission mode: acceptEdits
world> printf '{"type":"permission-mode","from":"acceptEdits","uuid":"00000000-0000-4000-8000-000000000003","timestamp":"2026-11-30T00:00:00Z"}\n' >> "$LOG"
reopen>
warn> log: line … unknown permission mode ``, read as `default`
warn> log: line … unknown permission mode `null`, read as `default`
then mode default
