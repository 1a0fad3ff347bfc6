"""Where the record of a match is to be found."""

from clients.client import Client
from protocol.pushes import View


def record_sentence(client: Client, view: View) -> str:
    """The address of a finished match's record."""
    server, _, _ = client.link(view.table).rpartition("/t/")
    whose = " (for its players only)" if view.options.private else ""
    return f"The record of the match{whose}: {server}/records/{view.table}"
