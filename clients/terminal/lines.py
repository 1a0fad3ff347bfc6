"""What a person types, line by line, without holding up the event loop."""

import asyncio
import sys
from collections.abc import AsyncIterator
from threading import Thread
from typing import IO


async def typed_lines(file: IO[str] | None = None) -> AsyncIterator[str]:
    """The lines of `file` (else of stdin) as they are typed; ends with the input.

    A thread reads them, since a terminal, a pipe and a file can be waited for in no other common way. It is a daemon:
    a program that is done does not wait for one more line.
    """
    source = sys.stdin if file is None else file
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[str | None] = asyncio.Queue()

    def put(line: str | None) -> bool:
        try:
            loop.call_soon_threadsafe(queue.put_nowait, line)
        except RuntimeError:  # the loop is closed: nobody listens any more
            return False
        return True

    def read() -> None:
        for line in source:
            if not put(line.strip()):
                return
        put(None)

    Thread(target=read, name="typed lines", daemon=True).start()
    while (line := await queue.get()) is not None:
        yield line
