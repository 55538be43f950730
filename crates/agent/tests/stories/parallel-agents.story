# two subagents run side by side: while the first waits for its model, the second does all its work

given file a.txt = alpha

user> go
model> Agent Explore: slow ∥ Agent Explore: quick
Explore note> plan_mode full
Explore model after 400 ms> Read a.txt
Explore tool> Read ok
Explore model> text slow
Explore 2 note> plan_mode full
Explore 2 model> Read a.txt
Explore 2 tool> Read ok
Explore 2 model> text quick
tool> Agent ok slow
tool> Agent ok quick
model> text Done.
then requests were main, Explore, Explore 2, Explore 2, Explore, main
