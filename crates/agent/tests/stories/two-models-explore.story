# Explore agents have a model of their own, also after a resume; other agents ask the main model, also while planning is another's

given mode plan

user> look
note> plan_mode full no plan
model plan> Agent Explore: where? ∥ Agent general-purpose: what?
Explore note> plan_mode full no plan
Explore model explore> text Here.
general-purpose note> plan_mode full no plan
general-purpose model> text That.
tool> Agent ok Here.
tool> Agent ok That.
model plan> text I see.
said> No plan was submitted
reopen>
user> look again
model plan> Agent Explore: where else?
Explore 2 note> plan_mode full no plan
Explore 2 model explore> text There.
tool> Agent ok There.
model plan> text I see more.
said> No plan was submitted
then log has 3 agent-ended
