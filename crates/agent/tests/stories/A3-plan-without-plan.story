# A3  /plan while planning, with no plan written; words are not lost

user> /plan
mode> default -> plan by command
said> Enabled plan mode
user> /plan
said> Already in plan mode. No plan written yet.
user> /plan also do the tests
said> Already in plan mode. No plan written yet.
offer> also do the tests
user> /plan open
said> Already in plan mode. No plan written yet.
then mode plan
then no request
