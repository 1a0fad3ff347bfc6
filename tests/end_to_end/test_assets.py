"""What the web client loads, through the balancer, while servers of two versions are behind it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from tests.end_to_end.topology import SERVERS, Balancer, nginx

pytestmark = pytest.mark.skipif(nginx() is None, reason="needs nginx: tools/debian-packages nginx")


@asynccontextmanager
async def answering(with_assets: bool) -> AsyncIterator[int]:
    """The port of a server that has the file that is asked for, or has nothing."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        status = "200 OK" if with_assets else "404 Not Found"
        writer.write(f"HTTP/1.1 {status}\r\nContent-Length: 3\r\nConnection: close\r\n\r\n{status[:3]}".encode())
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def test_a_file_is_found_at_whichever_server_has_it(tmp_path: Path) -> None:
    async with answering(True) as newer, answering(False) as older, httpx.AsyncClient() as client:
        balancer = Balancer(tmp_path / "nginx", dict(zip(SERVERS, (older, newer), strict=True)))
        await balancer.start()
        try:
            assets = [(await client.get(f"{balancer.http}/assets/index-1a2b.js")).status_code for _ in range(10)]
            others = {(await client.get(f"{balancer.http}/t/0")).status_code for _ in range(10)}
        finally:
            await balancer.stop()
    assert assets == [200] * 10
    assert others == {200, 404}, "both servers are asked"
