"""What happens at a table, and who sees what of it. Values in, values out: no I/O, no clock, no randomness.

The life of a command here: `decide` turns it into acts or refuses it, `compose` adds what follows from them (a deal, a
start) and seals them as the next entry of the log, `views` shows the result to each audience. `fold` is the only way
to a table's state: from nothing, entry by entry.
"""
