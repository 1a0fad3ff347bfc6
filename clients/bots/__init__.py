"""Bots: strategies, what plays a match with one, what fills seats with them, and the command `bigtop bot`."""
