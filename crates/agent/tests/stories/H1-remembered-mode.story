# H1  the mode to go back to is the one of the last human turn, not one merely passed through

given mode default

user> hello
model> text Hello.
user> <shift+tab>
mode> default -> acceptEdits by cycle
user> <shift+tab>
mode> acceptEdits -> plan by cycle
then before default
user> /plan off
mode> plan -> default by command
said> Disabled plan mode
then mode default
