# tokens and what they cost, by model; those of agents count; a price that is not known is said

given window 2000000 tokens
given answers 8000 tokens
given price {"input": 3, "output": 15}

user> go
model reads 1000000 writes 0> Agent Explore: look
Explore note> plan_mode full no plan
Explore model explore reads 2000 writes 1000> text Here.
tool> Agent ok
model reads 100 writes 100> text Done.
user> /cost
said> tokens: 1,002,100 in, 1,100 out, 0 written to cache, 0 read from cache … explore.json@… 2,000 in, 1,000 out, 0 written to cache, 0 read from cache: 0.0210 US dollars … main.json@… 1,000,100 in, 100 out, 0 written to cache, 0 read from cache: 3.0018 US dollars in all: 3.0228 US dollars
user> /context
said> model script:… window 2,000,000 100 % used 200 0 % … system … tools … notes 0 … talk … for the answer 8,000 0 % At 1,892,000 tokens the conversation is compacted by itself.
