# a model without a known price, and without a limit

user> go
model reads 10 writes 20> text Done.
user> /cost
said> tokens: 10 in, 20 out, 0 written to cache, 0 read from cache … its price is not known
user> /context
said> model script:… window no limit used 30
