# WebFetch: a page is read by GET, so the gate lets it pass; but its address goes out, so somebody says yes

given allow WebFetch(domain:127.0.0.1)
given deny WebFetch(domain:evil.example)
given mode plan

user> look it up
note> plan_mode full no plan
model> WebFetch {"url": "https://docs.example/a?q=1#part", "prompt": "how?"}
ask> permission WebFetch https://docs.example/a?q=1 (once, always, no) the address goes out to docs.example
answer> no: not that site
tool> WebFetch refused … the user said no. Their reason: not that site
model> WebFetch {"url": "http://0x7f.1:9/", "prompt": "how?"} ∥ WebFetch {"url": "https://EVIL.example./", "prompt": "how?"}
tool> WebFetch failed `127.0.0.1` is 127.0.0.1: this machine. WebFetch reaches the public internet only.
tool> WebFetch refused … the user's permission rule `WebFetch(domain:evil.example)` denies it
model> WebFetch {"url": "file:///etc/passwd", "prompt": "how?"} ∥ WebFetch {"url": "https://u:p@docs.example/", "prompt": "how?"}
tool> WebFetch refused The input of `WebFetch` is not valid: `url`: only http and https are fetched, not `file`
tool> WebFetch refused The input of `WebFetch` is not valid: `url`: an address with a user or a password in it
model> Agent Explore: look it up
Explore note> plan_mode full no plan
Explore model> WebFetch {"url": "https://docs.example/a", "prompt": "how?"}
Explore ask> permission WebFetch https://docs.example/a (once, always, no)
answer> no
Explore tool> WebFetch refused
Explore model> text No page.
tool> Agent ok No page.
model> text Done.
said> No plan was submitted
then nothing changed
then mode plan
