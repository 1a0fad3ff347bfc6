"""What a measurement can fail with."""

from clients.errors import ClientError


class BenchError(ClientError):
    """There are no figures; the message is a sentence for whoever asked for them."""
