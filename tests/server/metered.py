"""What the metrics of this process say, since a test began."""

from collections.abc import Callable

from server.metrics import REGISTRY

Counted = Callable[..., float]


def counting() -> Counted:
    """Tells by how much a sample with these labels has grown since now."""
    before = _samples()

    def since(name: str, **labels: str) -> float:
        key = (name, frozenset(labels.items()))
        return _samples().get(key, 0.0) - before.get(key, 0.0)

    return since


def value(name: str, **labels: str) -> float | None:
    """What a sample with these labels is now."""
    return _samples().get((name, frozenset(labels.items())))


def _samples() -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in REGISTRY.collect()
        for sample in family.samples
    }
