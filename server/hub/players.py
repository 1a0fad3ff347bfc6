"""Guests: a name and a token. Only the token's hash is stored; a public id never authenticates."""

import hmac

from protocol import errors
from protocol.commands import Hello
from server.hub.ids import Entropy, new_player_id, new_token, token_hash
from server.hub.names import clean_name, guest_name
from server.store.base import Player, Store
from server.table.refusal import Refused


async def welcome(store: Store, entropy: Entropy, hello: Hello) -> tuple[Player, str | None]:
    """The player who says hello, and their token if it is new. Raises `Refused`."""
    name = clean_name(hello.name) if hello.name is not None else None
    if hello.token is None:
        return await _new_guest(store, entropy, name, hello.bot)
    player = await store.player_by_token(token_hash(hello.token))
    if player is None:
        raise Refused(errors.TOKEN_UNKNOWN)
    wanted = Player(player.id, name or player.name, hello.bot)
    if wanted != player:
        await store.update_player(wanted)
    return wanted, None


async def _new_guest(store: Store, entropy: Entropy, name: str | None, bot: bool) -> tuple[Player, str]:
    id = new_player_id(entropy)
    token = new_token(entropy)
    player = Player(id, name or guest_name(id), bot)
    await store.add_player(player, token_hash(token))
    return player, token


def is_house(key: str, hello: Hello) -> bool:
    """Whether a connection belongs to the server's own bots. Raises `Refused` for a wrong key."""
    if hello.house is None:
        return False
    if not key or not hmac.compare_digest(hello.house.encode(), key.encode()):
        raise Refused(errors.NOT_HOUSE)
    return True
