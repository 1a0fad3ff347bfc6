"""Clients of a Bigtop server: a library to write them with, bots, and terminal programs.

`connect` gives a `Client`, `Client.follow` a `Follower`; see docs/writing-a-bot.md for a whole bot in twenty lines.
Names are imported when they are first used, so that a command starts fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clients.bots.playing import MatchEnd, play_match
    from clients.bots.strategies import Strategy
    from clients.client import Client, connect
    from clients.errors import BadAddress, BadName, ClientError, Refused, Stopped, Unreachable
    from clients.follower import Follower
    from clients.scout import legal_moves

__all__ = [
    "BadAddress",
    "BadName",
    "Client",
    "ClientError",
    "Follower",
    "MatchEnd",
    "Refused",
    "Stopped",
    "Strategy",
    "Unreachable",
    "connect",
    "legal_moves",
    "play_match",
]

_HOMES = {
    "BadAddress": "clients.errors",
    "BadName": "clients.errors",
    "Client": "clients.client",
    "ClientError": "clients.errors",
    "Follower": "clients.follower",
    "MatchEnd": "clients.bots.playing",
    "Refused": "clients.errors",
    "Stopped": "clients.errors",
    "Strategy": "clients.bots.strategies",
    "Unreachable": "clients.errors",
    "connect": "clients.client",
    "legal_moves": "clients.scout",
    "play_match": "clients.bots.playing",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
