# WebFetch: with nobody to ask, only a rule says yes

given nobody to ask
given mode plan

user> look it up
note> plan_mode full no plan
model> WebFetch {"url": "https://docs.example/a", "prompt": "how?"}
tool> WebFetch refused … there is nobody to give it: the address goes out to docs.example. It can be given by an allow rule such as `WebFetch(domain:docs.example)`
model> text Done.
said> No plan was submitted
end> permission missing
then log has permission-decision tool=WebFetch, verdict=deny, by=nobody
