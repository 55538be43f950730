# the disk becomes full in the middle of a turn: the turn ends with the reason, nothing half is in the
# log, and the session can be gone on with

given disk of its own
given mode acceptEdits
given allow Bash(sh fill)
given file fill = head -c 1000000 /dev/zero > {config}/big 2>/dev/null\nfor log in {config}/projects/*/*.jsonl; do while printf '\\n' >> "$log"; do :; done; done 2>/dev/null\ntrue

user> go
model> Write a.txt = kept
tool> Write ok
model> Bash sh fill ∥ Bash touch never
warn> not-recorded
error> cannot write the session log {config}/projects/ … no space is left on the disk
end> failed: cannot write the session log
then file a.txt = kept
then no file never
world> rm "$CONFIG/big"
user> go on
model> text Going on.
then request last contains The session ended before the result of this call was recorded.
then mode acceptEdits
