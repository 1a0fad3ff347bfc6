"""What can be read over plain HTTP."""

from collections.abc import AsyncIterator

import httpx
import pytest

from server.web.app import build_app
from server.web.http import SECURITY_HEADERS
from server.web.sockets import Sockets
from tests.server.web.fakes import SHARE, TABLE, TOKEN, FakeHub
from tests.server.web.serving import OPTIONS

OTHER_TABLE = "s" * 12


@pytest.fixture
def hub() -> FakeHub:
    return FakeHub()


@pytest.fixture
async def http(hub: FakeHub) -> AsyncIterator[httpx.AsyncClient]:
    app = build_app(hub, Sockets(hub, OPTIONS))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://scout.test") as client:
        yield client


class TestHealth:
    async def test_it_is_healthy_whatever_the_store_does(self, http: httpx.AsyncClient, hub: FakeHub) -> None:
        hub.trouble = "The disk is full."
        answer = await http.get("/health")
        assert (answer.status_code, answer.text) == (200, "ok\n")

    async def test_it_is_ready(self, http: httpx.AsyncClient) -> None:
        answer = await http.get("/ready")
        assert (answer.status_code, answer.text) == (200, "ok\n")

    async def test_it_says_why_it_is_not_ready(self, http: httpx.AsyncClient, hub: FakeHub) -> None:
        hub.trouble = "The disk is full."
        answer = await http.get("/ready")
        assert (answer.status_code, answer.text) == (503, "The disk is full.\n")


class TestTables:
    async def test_the_lobby(self, http: httpx.AsyncClient) -> None:
        answer = await http.get("/tables")
        assert answer.headers["content-type"] == "application/json"
        assert answer.json() == {"kind": "lobby", "re": None, "tables": []}

    async def test_without_a_store(self, http: httpx.AsyncClient, hub: FakeHub) -> None:
        hub.trouble = "The disk is full."
        answer = await http.get("/tables")
        assert answer.status_code == 503
        assert "disk" not in answer.text


class TestRecords:
    async def test_a_public_one(self, http: httpx.AsyncClient) -> None:
        answer = await http.get(f"/records/{TABLE}")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert answer.text == '[Game "scout"]\n'

    @pytest.mark.parametrize("scheme", ["Bearer", "bearer"])
    async def test_a_private_one(self, http: httpx.AsyncClient, scheme: str) -> None:
        answer = await http.get(f"/records/{OTHER_TABLE}", headers={"Authorization": f"{scheme} {TOKEN}"})
        assert (answer.status_code, answer.text) == (200, "private\n")

    @pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer x", f"Basic {TOKEN}", f"Bearer {TOKEN} "])
    async def test_not_without_a_token(self, http: httpx.AsyncClient, header: str | None) -> None:
        headers = {} if header is None else {"Authorization": header}
        assert (await http.get(f"/records/{OTHER_TABLE}", headers=headers)).status_code == 404

    async def test_a_token_in_the_address_opens_nothing(self, http: httpx.AsyncClient) -> None:
        assert (await http.get(f"/records/{OTHER_TABLE}?token={TOKEN}")).status_code == 404

    @pytest.mark.parametrize("table", ["x", "T" * 12, "t" * 13, "t" * 11 + "é", "t" * 12 + "%0a"])
    async def test_what_is_no_table(self, http: httpx.AsyncClient, hub: FakeHub, table: str) -> None:
        hub.trouble = "It is not even asked."
        assert (await http.get(f"/records/{table}")).status_code == 404

    async def test_with_a_share_code(self, http: httpx.AsyncClient) -> None:
        assert (await http.get(f"/records/{OTHER_TABLE}?share={SHARE}")).text == "private\n"

    @pytest.mark.parametrize("code", ["", "x", "0000-0000-0000", SHARE.upper(), f"{SHARE}%0a", f"{SHARE}x" * 9])
    async def test_not_with_another_code(self, http: httpx.AsyncClient, code: str) -> None:
        assert (await http.get(f"/records/{OTHER_TABLE}?share={code}")).status_code == 404

    async def test_without_a_store(self, http: httpx.AsyncClient, hub: FakeHub) -> None:
        hub.trouble = "The disk is full."
        assert (await http.get(f"/records/{TABLE}")).status_code == 503
        assert (await http.get(f"/records/{TABLE}/share")).status_code == 503


class TestShareCodes:
    async def test_for_a_seat(self, http: httpx.AsyncClient) -> None:
        answer = await http.get(f"/records/{OTHER_TABLE}/share", headers={"Authorization": f"Bearer {TOKEN}"})
        assert (answer.status_code, answer.text) == (200, SHARE)
        assert answer.headers["cache-control"] == "no-store"

    @pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer " + "x" * 40}])
    async def test_not_for_others(self, http: httpx.AsyncClient, headers: dict[str, str]) -> None:
        assert (await http.get(f"/records/{OTHER_TABLE}/share", headers=headers)).status_code == 404

    async def test_not_for_what_is_no_table(self, http: httpx.AsyncClient, hub: FakeHub) -> None:
        hub.trouble = "It is not even asked."
        assert (await http.get("/records/x/share")).status_code == 404


class TestPlainPages:
    """What is there without the web client."""

    async def test_the_first_page(self, http: httpx.AsyncClient) -> None:
        answer = await http.get("/")
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert "bigtop watch --bots 4 http://scout.test<" in answer.text
        assert "<code>make web</code>" in answer.text

    @pytest.mark.parametrize("command", ["play", "watch", "bot"])
    async def test_an_invitation(self, http: httpx.AsyncClient, command: str) -> None:
        answer = await http.get(f"/t/{TABLE}")
        assert f"<code>bigtop {command} http://scout.test/t/{TABLE}</code>" in answer.text

    async def test_an_invitation_to_a_private_table(self, http: httpx.AsyncClient) -> None:
        answer = await http.get(f"/t/{TABLE}?invite=abcd-efgh")
        assert f"<code>bigtop play 'http://scout.test/t/{TABLE}?invite=abcd-efgh'</code>" in answer.text

    async def test_an_invite_code_that_is_none(self, http: httpx.AsyncClient) -> None:
        answer = await http.get(f"/t/{TABLE}?invite=<script>")
        assert "script" not in answer.text

    async def test_what_is_no_table(self, http: httpx.AsyncClient) -> None:
        assert (await http.get("/t/<script>")).status_code == 404

    async def test_the_address_that_players_use(self, hub: FakeHub) -> None:
        app = build_app(hub, Sockets(hub, OPTIONS), "https://scout.example.org")
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://inside") as client:
            assert f"https://scout.example.org/t/{TABLE}<" in (await client.get(f"/t/{TABLE}")).text

    async def test_a_host_that_is_html(self, http: httpx.AsyncClient) -> None:
        answer = await http.get("/", headers={"Host": "<script>"})
        assert "<script>" not in answer.text


@pytest.mark.parametrize("path", ["/", "/health", "/tables", f"/t/{TABLE}", "/nowhere", f"/records/{OTHER_TABLE}"])
async def test_every_answer_has_the_security_headers(http: httpx.AsyncClient, path: str) -> None:
    answer = await http.get(path)
    for name, value in SECURITY_HEADERS:
        assert answer.headers.get_list(name.decode()) == [value.decode()]


@pytest.mark.parametrize("path", ["/", "/tables", "/ws"])
async def test_nothing_can_be_posted(http: httpx.AsyncClient, path: str) -> None:
    assert (await http.post(path)).status_code in (404, 405)
