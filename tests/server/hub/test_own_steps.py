"""A process that makes a step knows it, and need not work it out from what the store tells of it."""

from typing import Any

import pytest

from server.table.fold import fold
from tests.server.hub.house import SLOW_PAIR, House, in_break
from tests.server.hub.virtual import calm, virtual


@virtual
async def test_a_step_is_folded_only_where_it_was_not_made() -> None:
    folded: list[bytes] = []

    def counting(table: Any, entry: Any, id: str) -> Any:
        folded.append(entry)
        return fold(table, entry, id)

    with pytest.MonkeyPatch.context() as patch:
        async with House(hubs=2) as house:
            ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])
            table = await house.started(ann, bob, options=SLOW_PAIR)
            await calm()
            before = house.table(table).version
            patch.setattr("server.hub.holding.fold", counting)
            await house.play(table, ann, bob, until=in_break)
            await calm()
            made = house.table(table).version - before
            assert len(folded) == made > 10
            for hub in house.hubs:
                live = hub._tables.held(table)
                assert live is not None
                assert live.table == house.table(table)
