# F094  several choices and own words: the labels, and the words exactly

user> go
model> AskUserQuestion several: Which? a / b / c
ask> user Which? (a, b, c)
answer> a & c + why not b?
tool> AskUserQuestion ok … "Which?"="a, c, why not b?"
model> AskUserQuestion several: Which? a / b / c
ask> user Which? (a, b, c)
answer> + only, "this"\nand that
tool> AskUserQuestion ok … "Which?"="only, "this" and that"
model> AskUserQuestion First? a / b ; Second? c / d ; several: Third? e / f
ask> user First? (a, b) Second? (c, d) Third? (e, f)
answer> a | skip | e & f
tool> AskUserQuestion ok … "First?"="a", "Second?"="(skipped … "Third?"="e, f"
model> text Yes.
then request 3 contains only, "this"\nand that
