# H1  Shift+Tab: default, acceptEdits, plan, default; auto and bypass only where they are to be had

user> <shift+tab>
mode> default -> acceptEdits by cycle
user> <shift+tab>
mode> acceptEdits -> plan by cycle
user> <shift+tab>
mode> plan -> default by cycle
user> /mode
said> permission mode: default (cycle: default → acceptEdits → plan)
user> /mode auto
said> Auto mode cannot be used
user> /mode bypassPermissions
said> bypassPermissions can only be used in a session started with --allow-bypass.
then mode default
user> /mode plan
mode> default -> plan by command
said> permission mode: plan
reopen> auto, bypass allowed
user> <shift+tab>
mode> plan -> auto by cycle
user> <shift+tab>
mode> auto -> bypassPermissions by cycle
user> <shift+tab>
mode> bypassPermissions -> default by cycle
then mode default
