# A1  /plan in default mode enters plan mode, and asks the model nothing

user> /plan
mode> default -> plan by command
said> Enabled plan mode
then mode plan
then before default
then no request
then log has permission-mode from=default, to=plan, cause=command
