# a request is put again after the answer broke off: what was void stands nowhere, the answer once

user> go
model again 9 after 10 ms> text The answer is 42.
again> try 2 of 2: The script says so
user> and?
model> text Nothing.
then log has 2 assistant
then request last contains The answer is 42.
