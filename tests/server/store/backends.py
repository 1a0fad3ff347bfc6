"""The stores under test, behind one shape. Another store joins the suite with a class here and a line in `BACKENDS`."""

from abc import ABC, abstractmethod
from pathlib import Path

from server.store.base import Store
from server.store.memory import MemoryCore, MemoryStore
from server.store.sqlite import SqliteStore

START = 1_700_000_000_000


class Backend(ABC):
    """Where data outlives the stores that are opened on it.

    Attributes:
        now: the store's time.
    """

    outage_on_restart: bool
    """Whether nobody can move while a process restarts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.now = START

    @abstractmethod
    def store(self) -> Store:
        """A store that is not open yet."""


class MemoryBackend(Backend):
    outage_on_restart = False

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.core = MemoryCore(lambda: self.now)

    def store(self) -> Store:
        return MemoryStore(core=self.core)


class SqliteBackend(Backend):
    outage_on_restart = True

    @property
    def path(self) -> Path:
        return self.folder / "store.db"

    def store(self) -> SqliteStore:
        return SqliteStore(self.path, clock=lambda: self.now)


BACKENDS: dict[str, type[Backend]] = {"memory": MemoryBackend, "sqlite": SqliteBackend}
