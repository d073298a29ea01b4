"""What a client on the socket meets: bytes that are no HTTP, and requests that never end."""

import asyncio
import json
from collections.abc import AsyncIterator
from uuid import UUID

import pytest
import uvicorn

from sightline.api.endpoint import Services
from sightline.api.protocol import ApiProtocol
from sightline.api.server import create_server
from tests.conftest import Tenant

HEALTH = b"GET /health HTTP/1.1\r\nHost: a\r\n"


class Hasty(ApiProtocol):
    head_seconds, quiet_seconds, body_seconds = 0.3, 0.3, 1.0


@pytest.fixture
async def port(services: Services) -> AsyncIterator[int]:
    config = uvicorn.Config(
        create_server(services), port=0, http=Hasty, lifespan="off", log_level="error"
    )
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await running


async def say(port: int, sent: bytes, *then: bytes) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of the answer to some bytes, the rest of them a fifth of a second apart."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    for more in then:
        await asyncio.sleep(0.2)
        writer.write(more)
    async with asyncio.timeout(5):
        answer = await reader.read()
    writer.close()
    assert answer, "closed without an answer"
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    return int(first.split()[1]), headers, body


@pytest.mark.parametrize(
    "sent",
    [
        b"garbage\r\n\r\n",
        b"FOO /health HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /health HTTP/3.0\r\nHost: a\r\n\r\n",
        b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /a\x00b HTTP/1.1\r\nHost: a\r\n\r\n",
        b"POST /health HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"POST /health HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    ],
    ids=["garbage", "method", "version", "long-url", "nul", "negative-length", "smuggle"],
)
async def test_what_is_no_http_is_refused_in_json(port: int, sent: bytes) -> None:
    status, headers, body = await say(port, sent)
    error = json.loads(body)["error"]
    assert (status, error["code"]) == (400, "invalid_http")
    assert headers["content-type"] == "application/json"
    assert headers["x-request-id"] == error["details"]["request_id"]
    assert UUID(headers["x-request-id"]).version == 7


def accounts(tenant: Tenant) -> bytes:
    head = HEALTH.replace(b"GET /health", b"POST /public-api/v1/accounts")
    return head + f"x-api-key: {tenant.key}\r\nContent-Type: application/json\r\n".encode()


async def test_a_body_that_never_ends_is_cut_off(port: int, tenant: Tenant) -> None:
    status, headers, body = await say(port, accounts(tenant) + b"Content-Length: 9\r\n\r\n{")
    assert (status, json.loads(body)["error"]["code"]) == (408, "request_timeout")
    assert headers["connection"] == "close"


@pytest.mark.parametrize(
    "parts",
    [(b"",), (HEALTH,), (HEALTH, b"X-One: 1\r\n")],
    ids=["nothing", "headers", "slow-headers"],
)
async def test_what_never_ends_is_cut_off(port: int, parts: tuple[bytes, ...]) -> None:
    status, headers, body = await say(port, *parts)
    assert (status, json.loads(body)["error"]["code"]) == (408, "request_timeout")
    assert headers["connection"] == "close"


async def test_a_slow_body_that_ends_is_answered(port: int, tenant: Tenant) -> None:
    length = b"Content-Length: 2\r\nConnection: close\r\n\r\n"
    status, _, _ = await say(port, accounts(tenant) + length, b"{", b"}")
    assert status == 200
