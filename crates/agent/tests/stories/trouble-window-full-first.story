# the very first request does not fit: there is nothing to summarize, so that is said at once

user> far too much
model fails full> text never
error> The conversation is larger than the model's window
end> failed: The conversation is larger
then log lacks compacted
