"""In a process that has this folder on its path, the computer's clock goes wrong by BIGTOP_TEST_CLOCK_SHIFT seconds.

Python imports a module of this name by itself at the start.
"""

import os
import time

_SHIFT = int(os.environ.get("BIGTOP_TEST_CLOCK_SHIFT", "0"))
_time, _time_ns = time.time, time.time_ns

if _SHIFT:
    time.time = lambda: _time() + _SHIFT
    time.time_ns = lambda: _time_ns() + _SHIFT * 10**9
