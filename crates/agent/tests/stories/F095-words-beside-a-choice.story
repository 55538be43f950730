# F095  long words typed beside a single choice are delivered with it

user> go
model> AskUserQuestion Which? a / b
ask> user Which? (a, b)
answer> b + because the first one would break the callers in the web folder, and they were written by somebody who left long ago, so that nobody dares to touch them
tool> AskUserQuestion ok … "Which?"="b, because the first one … nobody dares to touch them"
model> text Yes.
