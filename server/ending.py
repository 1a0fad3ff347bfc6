"""Ends processes that this one has started."""

import asyncio
from asyncio.subprocess import Process
from contextlib import suppress


async def end(process: Process, seconds: float) -> None:
    """Ask a process to end, and wait until it is gone. One that takes longer is killed."""
    with suppress(ProcessLookupError):
        process.terminate()
        try:
            async with asyncio.timeout(seconds):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
