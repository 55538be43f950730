# A deny rule that cannot be read is shown with what it is read as, and holds so

given deny Bash(rm *
given mode bypassPermissions
given bypass allowed

warn> settings: … the rule `Bash(rm *` in `permissions.deny`: … read as `Bash(rm *)`
user> /permissions
said> deny Bash(rm * your settings, read as Bash(rm *)
user> go
model> Bash rm a.txt
tool> Bash refused … denies it
model> text Done.
