# calls that run side by side: their results are told in the order of the calls

given file a.txt = alpha
given file b.txt = beta
given file c.txt = gamma

user> go
model> Read a.txt ∥ Agent Explore: slow ∥ Grep beta ∥ Agent Explore: quick ∥ Read missing.txt ∥ Read c.txt
Explore note> plan_mode full
Explore model after 300 ms> text slow
Explore 2 note> plan_mode full
Explore 2 model> text quick
tool> Read ok … alpha
tool> Agent ok slow
tool> Grep ok b.txt
tool> Agent ok quick
tool> Read failed missing.txt is not there
tool> Read ok … gamma
model> text Done.
