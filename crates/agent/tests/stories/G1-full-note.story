# G1  what the full note says: the rules, the path, five phases, the way out

given mode plan

user> go
note> plan_mode full no plan
model> text Yes.
said> No plan was submitted
then request 1 contains edit nothing and run nothing that is not read-only. The one exception is the plan file. This overrides every other instruction
then request 1 contains Plan file: {plan_file}
then request 1 contains create it with Write
then request 1 contains Phase 1, understand.
then request 1 contains Phase 2, design.
then request 1 contains Phase 3, review.
then request 1 contains Phase 4, write the plan
then request 1 contains Phase 5, hand over.
then request 1 contains Start only Explore agents in this phase, at most 3 in parallel
then request 1 contains Start a Plan agent unless the task is trivial
then request 1 contains Your turn ends only with AskUserQuestion or ExitPlanMode.
then request 1 contains do not ask for approval in text
