# arguments that are no JSON go back to the model as an error; the calls beside them run

given mode acceptEdits

user> go
model> Write malformed {"file_path": "a.txt", "content": "one ∥ Write b.txt = two
tool> Write refused The input of `Write` is not valid: it must be an object, and is no JSON: EOF while parsing a string
tool> Write ok
model> Write a.txt = one
tool> Write ok
model> text Done.
then file a.txt = one
then file b.txt = two
