"""Players, where they sit, what their commands intend, and who is connected.

None of it changes together with a log, so each lies where its own key leads.
"""

from server.store.base import PRESENCE_TTL_MS, Player, Present
from server.store.redis_scripts import BEAT, INTEND, RENAME, SEAT
from server.store.redis_shared import RedisPart
from server.store.redis_wire import pack

KEEP_INTENTS_MS = 7 * 24 * 3600 * 1000
"""How long intents are kept."""
KEEP_SEEN_MS = 30 * 24 * 3600 * 1000
"""How long it is known who was at a table, after the last sign of life."""


class RedisPeople(RedisPart):
    async def add_player(self, player: Player, token_hash: bytes) -> None:
        key, token = self._keys.player(player.id), self._keys.token(token_hash)
        made = pack((b"HSET", key, "name", player.name, "bot", int(player.bot)))
        await self._ready().many([(key, made), (token, pack((b"SET", token, player.id)))])

    async def player_by_token(self, token_hash: bytes) -> Player | None:
        servers = self._ready()
        token = self._keys.token(token_hash)
        found = await servers.command(token, b"GET", token)
        if found is None:
            return None
        id = found.decode()
        key = self._keys.player(id)
        name, bot = await servers.command(key, b"HMGET", key, "name", "bot")
        return None if name is None else Player(id, name.decode(), bot == b"1")

    async def update_player(self, player: Player) -> None:
        args = (player.name.encode(), int(player.bot))
        await self._ready().script(RENAME, self._keys.player(player.id), args=args)

    async def add_seat(self, player: str, table: str) -> None:
        servers = self._ready()
        seats, noted = self._keys.seats(player), self._keys.noted(table)
        # First where the table is noted: else nobody could take the note back with the table.
        await servers.command(noted, b"SADD", noted, player)
        args = (table.encode(), self._keys.seated(player), self._me + table.encode())
        await servers.script(SEAT, seats, args=args)

    async def drop_seat(self, player: str, table: str) -> None:
        servers = self._ready()
        seats, noted = self._keys.seats(player), self._keys.noted(table)
        await servers.command(seats, b"ZREM", seats, table)
        await servers.command(noted, b"SREM", noted, player)

    async def seats_of(self, player: str) -> list[str]:
        key = self._keys.seats(player)
        return [table.decode() for table in await self._ready().command(key, b"ZRANGE", key, 0, -1)]

    async def intend(self, player: str, command: str, intent: bytes) -> bytes:
        return await self._intend(player, command, intent, b"")

    async def intent(self, player: str, command: str) -> bytes | None:
        key = self._keys.intent(player, command)
        found = await self._ready().command(key, b"GET", key)
        return None if found is None else bytes(found)

    async def replace_intent(self, player: str, command: str, old: bytes, new: bytes) -> bytes:
        return await self._intend(player, command, new, b"=" + old)

    async def beat(self, table: str, connection: str, player: str | None) -> None:
        args = (connection.encode(), self.now(), (player or "").encode(), PRESENCE_TTL_MS, KEEP_SEEN_MS)
        await self._ready().script(BEAT, self._keys.connections(table), self._keys.seen(table), args=args)

    async def leave(self, table: str, connection: str) -> None:
        key = self._keys.connections(table)
        await self._ready().command(key, b"HDEL", key, connection)

    async def present(self, table: str) -> Present:
        connections, seen = self._keys.connections(table), self._keys.seen(table)
        found, known = await self._ready().many(
            [(connections, pack((b"HGETALL", connections))), (seen, pack((b"HGETALL", seen)))]
        )
        expired = self.now() - PRESENCE_TTL_MS
        beats = [value.decode().partition(" ") for value in found[1::2]]
        here = [player for at, _, player in beats if int(at) > expired]
        players = {player.decode(): int(at) for player, at in zip(known[::2], known[1::2], strict=True)}
        last_seen = players.pop("", None)
        return Present(players, frozenset(player for player in here if player), here.count(""), last_seen)

    async def _drop_notes(self, table: str) -> None:
        """Take back every player's note of a table."""
        servers = self._ready()
        noted = self._keys.noted(table)
        seats = [self._keys.seats(player.decode()) for player in await servers.command(noted, b"SMEMBERS", noted)]
        drops = [(key, pack((b"ZREM", key, table))) for key in seats]
        await servers.many([*drops, (noted, pack((b"DEL", noted)))])

    async def _intend(self, player: str, command: str, intent: bytes, old: bytes) -> bytes:
        args = (intent, old, KEEP_INTENTS_MS)
        return bytes(await self._ready().script(INTEND, self._keys.intent(player, command), args=args))
