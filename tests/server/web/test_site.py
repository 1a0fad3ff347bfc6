"""The files of the web client, as a browser gets them. The build here is a small one of the same form."""

import gzip
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from server.web.app import build_app
from server.web.http import SECURITY_HEADERS
from server.web.site import CLIENT_ROUTES, POLICY, Site, is_built, read_site
from server.web.sockets import Sockets
from tests.server.web.fakes import TABLE, FakeHub
from tests.server.web.serving import OPTIONS, raw_client, serving

PAGE = '<!doctype html><script type="module" src="/assets/index-1a2b.js"></script>\n'
SCRIPT = "export const answer = 42;\n" * 100
PICTURE = bytes(range(256))
SCRIPT_PATH = "/assets/index-1a2b.js"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pages = tmp_path / "pages"
    (pages / "assets").mkdir(parents=True)
    (pages / "index.html").write_text(PAGE)
    (pages / "assets" / "index-1a2b.js").write_text(SCRIPT)
    (pages / "assets" / "style-3c4d.css").write_text("a{}")
    (pages / "assets" / "card-5e6f.png").write_bytes(PICTURE)
    (pages / "manifest.webmanifest").write_text("{}")
    (tmp_path / "secret.txt").write_text("The key is under the mat.")
    return pages


@pytest.fixture
def site(folder: Path) -> Site:
    site = read_site(folder)
    assert site is not None
    return site


@pytest.fixture
async def http(site: Site) -> AsyncIterator[httpx.AsyncClient]:
    hub = FakeHub()
    app = build_app(hub, Sockets(hub, OPTIONS), site=site)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://scout.test") as client:
        yield client


@pytest.mark.parametrize("path", [route.format(table=TABLE) for route in CLIENT_ROUTES])
async def test_the_page(http: httpx.AsyncClient, path: str) -> None:
    answer = await http.get(f"{path}?invite=abcd-efgh")
    assert (answer.status_code, answer.text) == (200, PAGE)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (SCRIPT_PATH, "text/javascript; charset=utf-8"),
        ("/assets/style-3c4d.css", "text/css; charset=utf-8"),
        ("/assets/card-5e6f.png", "image/png"),
    ],
)
async def test_what_the_page_loads_is_kept_for_good(http: httpx.AsyncClient, path: str, kind: str) -> None:
    answer = await http.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == kind
    assert answer.headers.get_list("cache-control") == ["public, max-age=31536000, immutable"]


async def test_a_file_whose_name_stays_the_same_is_asked_for_each_time(http: httpx.AsyncClient) -> None:
    answer = await http.get("/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    assert answer.headers["cache-control"] == "no-cache"


async def test_a_file_of_an_unknown_kind(folder: Path) -> None:
    (folder / "assets" / "x.foo").touch()
    site = read_site(folder)
    assert site is not None
    assert site["assets/x.foo"].headers["content-type"] == "application/octet-stream"


class TestPacking:
    @pytest.mark.parametrize("accepted", ["gzip", "br, GZIP;q=0.5", "*", "deflate,gzip ;q=1.0"])
    async def test_for_who_can_unpack(self, http: httpx.AsyncClient, accepted: str) -> None:
        async with http.stream("GET", SCRIPT_PATH, headers={"Accept-Encoding": accepted}) as answer:
            body = b"".join([part async for part in answer.aiter_raw()])
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.headers["vary"] == "accept-encoding"
        assert int(answer.headers["content-length"]) == len(body) < len(SCRIPT) / 2
        assert gzip.decompress(body).decode() == SCRIPT

    @pytest.mark.parametrize("accepted", ["", "br", "identity", "gzip;q=0", "gzip; q=0.0, br", "x-gzip2"])
    async def test_for_others(self, http: httpx.AsyncClient, accepted: str) -> None:
        answer = await http.get(SCRIPT_PATH, headers={"Accept-Encoding": accepted})
        assert "content-encoding" not in answer.headers
        assert answer.headers["vary"] == "accept-encoding", "else a cache gives the one to who needs the other"
        assert answer.text == SCRIPT

    async def test_not_where_it_saves_nothing(self, http: httpx.AsyncClient) -> None:
        answer = await http.get("/assets/card-5e6f.png", headers={"Accept-Encoding": "gzip"})
        assert not {"content-encoding", "vary"} & set(answer.headers)
        assert answer.content == PICTURE


class TestSecurity:
    @pytest.mark.parametrize("path", ["/", f"/t/{TABLE}", SCRIPT_PATH, "/assets/card-5e6f.png"])
    async def test_the_policy(self, http: httpx.AsyncClient, path: str) -> None:
        answer = await http.get(path)
        assert answer.headers.get_list("content-security-policy") == [POLICY]

    def test_the_policy_allows_nothing_inline_and_nothing_from_elsewhere(self) -> None:
        directives = dict(each.split(" ", 1) for each in POLICY.split("; "))
        assert directives["default-src"] == "'none'"
        assert set(directives.values()) <= {"'none'", "'self'"}
        assert {"base-uri", "form-action", "frame-ancestors"} <= set(directives)

    @pytest.mark.parametrize("path", ["/", SCRIPT_PATH, "/nowhere", "/health"])
    async def test_the_other_headers_are_those_of_every_answer(self, http: httpx.AsyncClient, path: str) -> None:
        answer = await http.get(path)
        for name, _ in SECURITY_HEADERS:
            assert len(answer.headers.get_list(name.decode())) == 1

    @pytest.mark.parametrize(
        "target",
        [
            b"/../secret.txt",
            b"/assets/../../secret.txt",
            b"/assets/..%2f..%2fsecret.txt",
            b"/%2e%2e/secret.txt",
            b"//secret.txt",
            b"/assets/..\\..\\secret.txt",
        ],
    )
    async def test_no_way_leads_out_of_the_folder(self, site: Site, target: bytes) -> None:
        async with serving(site=site) as server, raw_client(server) as eve:
            eve.say(b"GET " + target + b" HTTP/1.1\r\nHost: scout.test\r\nConnection: close\r\n\r\n")
            said = await eve.hear_all()
        assert said.startswith(b"HTTP/1.1 404 ")
        assert b"mat" not in said


class TestOtherWords:
    @pytest.mark.parametrize("path", ["/", SCRIPT_PATH])
    async def test_head(self, site: Site, path: str) -> None:
        async with serving(site=site) as server, httpx.AsyncClient() as client:
            head = await client.head(f"http://{server.address}{path}")
            get = await client.get(f"http://{server.address}{path}")
        assert (head.status_code, head.content) == (200, b"")
        assert {**head.headers, "date": ""} == {**get.headers, "date": ""}

    async def test_what_is_not_there_is_not_kept(self, http: httpx.AsyncClient) -> None:
        answer = await http.get("/assets/index-0000.js")
        assert (answer.status_code, answer.headers["cache-control"]) == (404, "no-store")
        assert answer.headers["content-type"].startswith("text/plain")

    async def test_who_looks_for_a_page_that_is_not_there_gets_the_one_that_is(self, http: httpx.AsyncClient) -> None:
        answer = await http.get("/lobby", headers={"Accept": "text/html,*/*;q=0.8"})
        assert (answer.status_code, answer.text) == (404, PAGE)

    async def test_what_is_no_page_comes_before_it(self, http: httpx.AsyncClient) -> None:
        assert (await http.get("/health")).text == "ok\n"
        assert (await http.get(f"/records/{TABLE}")).text == '[Game "scout"]\n'
        assert (await http.get("/tables")).json()["tables"] == []

    async def test_nothing_can_be_posted(self, http: httpx.AsyncClient) -> None:
        assert (await http.post("/")).status_code == 405


def test_a_folder_without_a_page_is_no_client(folder: Path) -> None:
    assert is_built(folder)
    (folder / "index.html").unlink()
    assert not is_built(folder)
    assert read_site(folder) is None
