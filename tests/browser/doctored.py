"""A server's messages, changed on their way to a page: for what hardly ever happens at a table."""

from collections.abc import Callable
from itertools import combinations

from msgspec.structs import replace
from playwright.async_api import BrowserContext, WebSocketRoute

from protocol.codec import MsgpackCodec
from protocol.pushes import View

CARDS = tuple(combinations(range(1, 11), 2))
_codec = MsgpackCodec()


async def change_views(context: BrowserContext, change: Callable[[View], View]) -> None:
    """Have every view changed that comes to a page from now on."""

    def route(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda frame: socket.send(_changed(frame, change)))

    await context.route_web_socket("**/ws", route)


def _changed(frame: bytes | str, change: Callable[[View], View]) -> bytes:
    assert isinstance(frame, bytes)
    message = _codec.decode_message(frame)
    return _codec.encode(change(message)) if isinstance(message, View) else frame


def with_cards(number: int) -> Callable[[View], View]:
    """The receiver's hand has so many cards once the choice of an orientation is over."""

    def change(view: View) -> View:
        game = view.game
        if game is None or game.phase != "play" or view.you is None:
            return view
        shown = {(min(card), max(card)) for card in game.active}
        hand = tuple(card for card in CARDS if card not in shown)[:number]
        seats = tuple(
            replace(seat, cards=number) if index == view.you else seat for index, seat in enumerate(game.seats)
        )
        return replace(view, game=replace(game, hand=hand, seats=seats))

    return change
