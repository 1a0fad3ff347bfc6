"""What all commands share: running until done or told to stop, and errors as one sentence."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Collection, Coroutine
from contextlib import suppress
from typing import Any, Final

from clients.errors import ClientError, Refused

Work = Callable[[], Coroutine[Any, Any, int]]
FAILED: Final = 2
INTERRUPTED: Final = 130


def run(work: Work, *, stopped: int = INTERRUPTED) -> int:
    """Run `work` and give its exit code.

    An error that a user can do something about becomes one sentence on stderr and exit code 2; Ctrl-C and SIGTERM end
    the work in good order, with exit code `stopped`.
    """
    try:
        return asyncio.run(_until_told(work))
    except (KeyboardInterrupt, asyncio.CancelledError):
        return stopped
    except ClientError as error:
        return complain(error)
    except BrokenPipeError:  # whoever read the output has gone
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED


async def cancelled(tasks: Collection[asyncio.Task[Any]]) -> None:
    """Cancel tasks, and wait until they have ended; what they fail with is of no interest any more."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def complain(error: Exception) -> int:
    """Say on stderr what is wrong."""
    sentence = str(error)
    if isinstance(error, Refused) and not sentence:
        sentence = f"The server refused: {error.code}."
    print(f"bigtop: {sentence}", file=sys.stderr)
    return FAILED


async def _until_told(work: Work) -> int:
    task = asyncio.current_task()
    assert task is not None
    with suppress(NotImplementedError):  # a platform without signals in its loops
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await work()
