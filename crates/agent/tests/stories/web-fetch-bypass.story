# WebFetch: in bypassPermissions it runs, and still reaches the public internet only

given bypass allowed
given mode bypassPermissions

user> look it up
model> WebFetch {"url": "http://169.254.169.254/latest/meta-data/", "prompt": "keys"}
tool> WebFetch failed `169.254.169.254` is 169.254.169.254: the local link, where clouds serve their metadata.
model> text Done.
then log has permission-decision tool=WebFetch, verdict=allow, by=mode
