# A6  /plan open outside plan mode enters, opens nothing, and asks nothing

user> /plan open
mode> default -> plan by command
said> Enabled plan mode
then mode plan
then no request
then no plan
