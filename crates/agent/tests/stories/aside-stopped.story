# An answer that is stopped leaves the plan waiting

given mode plan

user> go
note> plan_mode full no plan
model> Write {plan_file} = # Plan\n
tool> Write ok
model> ExitPlanMode
ask> plan 1

asks and stops> why?
model after 60000 ms> text Never heard.
aside> failed Stopped.
asks and interrupts> why?
model after 60000 ms> text Never heard.
aside> failed Stopped.
then mode plan
then log lacks plan-decision
then log lacks aside

# An answer that fails leaves it waiting too.
asks> why?
model fails 529> x
aside> failed The model's provider answered 529
asks> why?
model cut 7> text Because of it.
aside> failed the model's answer was cut off
then log has 1 aside answer=Because, stop=cut

# Deciding ends an answer that still comes.
asks and goes on> and how?
model after 60000 ms> text Never heard.
answer> keep planning: smaller
aside> failed Stopped.
tool> ExitPlanMode failed The user wants to keep planning; … smaller While reading the plan the user asked you about it, and you answered: The user: why? You: Because
model> text Yes.
reminded> Your turn ended
model> text Soon.
said> No plan was submitted
then mode plan
then log has 1 plan-decision decision=rejected
user> <ctrl-c>
