"""The rules of the games Bigtop hosts, as pure functions over immutable values.

Nothing in this package reads a clock, does I/O, logs or makes randomness: the same calls always give the same
answers. `engine.game.Game` is the contract, `engine.games` the register of games, `engine.record` their records.
"""
