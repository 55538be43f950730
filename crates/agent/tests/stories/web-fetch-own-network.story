# WebFetch: a host of the user's own network is reached if the user allowed it: here nobody listens

given settings {"webFetch": {"allowPrivateHosts": ["127.0.0.1:1"]}}
given allow WebFetch(domain:127.0.0.1)
given mode plan

user> look at the server
note> plan_mode full no plan
model> WebFetch {"url": "http://127.0.0.1:1/", "prompt": "is it up?"} ∥ WebFetch {"url": "http://127.0.0.1:2/", "prompt": "is it up?"}
tool> WebFetch failed http://127.0.0.1:1/ could not be fetched
tool> WebFetch failed `127.0.0.1` is 127.0.0.1: this machine.
model> text It is down.
said> No plan was submitted
