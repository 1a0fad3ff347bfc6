"""The page of metrics, for Prometheus to read: of this process alone, or of all worker processes together.

Workers write their figures into files of one folder (prometheus-client's multiprocess mode). Their parent makes the
folder, gives each worker `Folder.environment`, tells of each that died, and serves the page.
"""

import os
import struct
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Self

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.metrics_core import Metric
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from server import metrics

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
NOBODY = 0
"""The process id under which the figures of the dead are kept."""


class Folder(Collector):
    """Where worker processes keep their figures, as long as the server runs. Only its owner may read it."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="bigtop-metrics-")
        self._lock = Lock()  # the page is served by a thread

    @property
    def path(self) -> Path:
        """Where it is."""
        return Path(self._folder.name)

    def environment(self) -> dict[str, str]:
        """What a worker must have in its environment when it starts."""
        return {VARIABLE: self._folder.name}

    def died(self, pid: int) -> None:
        """A worker has ended: what it had now is gone, what it has counted stays.

        The counts of all who died are kept in one file for each kind, so that the page does not get slower with each.
        """
        with self._lock:
            mark_process_dead(pid, self._folder.name)  # type: ignore[no-untyped-call]
            for kind in ("counter", "histogram"):
                _add(self.path / f"{kind}_{pid}.db", self.path / f"{kind}_{NOBODY}.db")

    def collect(self) -> Iterable[Metric]:
        """The figures of all workers together."""
        with self._lock:
            return list(MultiProcessCollector(None, self._folder.name).collect())  # type: ignore[no-untyped-call]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()


def _add(dead: Path, total: Path) -> None:
    if not dead.exists():
        return
    try:
        counts = list(MmapedDict.read_all_values_from_file(dead))  # type: ignore[no-untyped-call]
    except struct.error:
        counts = []  # it died before it had counted anything
    kept = MmapedDict(str(total))  # type: ignore[no-untyped-call]
    try:
        for key, value, _, _ in counts:
            kept.write_value(key, kept.read_value(key)[0] + value, time.time())  # type: ignore[no-untyped-call]
    finally:
        kept.close()  # type: ignore[no-untyped-call]
    os.remove(dead)


@contextmanager
def show(host: str, port: int, folder: Folder | None) -> Iterator[None]:
    """Serve the page over HTTP, by a thread, so that nobody waits for it. Raises `OSError` if it cannot listen there.

    It shows what is in the folder, or without one this process.
    """
    registry = metrics.REGISTRY
    if folder is not None:
        registry = CollectorRegistry()
        registry.register(folder)
    server, thread = start_http_server(port, host, registry)
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
