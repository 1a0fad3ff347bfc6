"""The bot in docs/writing-a-bot.md is short, complete, and plays."""

import asyncio
import re
import sys
from pathlib import Path

from tests.clients.fake import FakeServer
from tests.clients.network import listening

PAGE = Path(__file__).parents[2] / "docs" / "writing-a-bot.md"


async def test_the_bot_of_twenty_lines_plays_a_match(tmp_path: Path) -> None:
    code = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)[0]
    assert len([line for line in code.splitlines() if line.strip()]) <= 20
    (tmp_path / "twenty.py").write_text(code, "utf-8")
    async with listening(FakeServer()) as (url, _), asyncio.timeout(60):
        bots = [
            await asyncio.create_subprocess_exec(
                sys.executable,
                str(tmp_path / "twenty.py"),
                url,
                stdout=asyncio.subprocess.PIPE,
                env={"PYTHONPATH": str(PAGE.parents[1])},
            )
            for _ in range(3)
        ]
        said = [await bot.communicate() for bot in bots]
    assert [bot.returncode for bot in bots] == [0, 0, 0]
    assert len({out for out, _ in said}) == 1
    assert b" over (" in said[0][0]
