"""What the Python client does when a server is busy, broken or gone."""

from collections.abc import Callable

import httpx
import pytest

from sightline.api.endpoint import Services
from sightline.api.server import create_server
from sightline_client import ApiError, AsyncSightline, NoAnswer, Sightline
from tests.conftest import Tenant

Handler = Callable[[httpx.Request], httpx.Response]
REFUSED = {
    "error": {"type": "rate_limited", "code": "rate_limited", "message": "Wait.", "details": {}}
}


class Clock:
    """Remembers how long a client wanted to sleep."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    async def sleep_async(self, seconds: float) -> None:
        self.slept.append(seconds)


def faulty(handler: Handler, *, retries: int = 4) -> tuple[Sightline, Clock]:
    http = httpx.Client(transport=httpx.MockTransport(handler))
    client, clock = Sightline("http://sightline.test", "key", retries=retries, http=http), Clock()
    client.transport.sleep = clock.sleep
    return client, clock


def answers(*found: httpx.Response | Exception) -> tuple[Handler, list[httpx.Request]]:
    """Each answer in turn; the requests that came."""
    left, seen = list(found), list[httpx.Request]()

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return handler, seen


def test_it_waits_as_long_as_the_server_asks_for() -> None:
    handler, _ = answers(
        httpx.Response(429, json=REFUSED, headers={"retry-after": "7"}),
        httpx.Response(503, json=REFUSED, headers={"retry-after": "999999"}),
        httpx.Response(200, json={"status": "ok"}),
    )
    client, clock = faulty(handler)
    assert client.health.read()["status"] == "ok"
    assert clock.slept == [7.0, 60.0]


def test_without_a_word_of_the_server_the_waits_grow() -> None:
    handler, _ = answers(*[httpx.Response(502, text="bad gateway")] * 5)
    client, clock = faulty(handler)
    with pytest.raises(ApiError) as error:
        client.health.read()
    assert error.value.status == 502
    assert len(clock.slept) == 4
    for attempt, slept in enumerate(clock.slept):
        assert 0.25 * 2**attempt <= slept <= 0.5 * 2**attempt


def test_a_write_is_sent_again_under_the_same_key() -> None:
    handler, seen = answers(
        httpx.ConnectError("refused"),
        httpx.ReadError("cut off"),
        httpx.Response(409, json=REFUSED, headers={"retry-after": "1"}),
        httpx.Response(201, json={"id": "x"}),
    )
    client, _ = faulty(handler)
    client.lists.create({"name": "Harbors"})
    assert len(seen) == 4
    assert len({request.headers["idempotency-key"] for request in seen}) == 1
    assert {request.content for request in seen} == {seen[0].content}


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 422])
def test_what_would_be_refused_again_is_sent_once(status: int) -> None:
    handler, seen = answers(httpx.Response(status, json=REFUSED))
    client, clock = faulty(handler)
    with pytest.raises(ApiError):
        client.lists.create({"name": "Harbors"})
    assert (len(seen), clock.slept) == (1, [])


def test_a_server_that_is_gone_is_said_to_be_gone() -> None:
    handler, seen = answers(*[httpx.ConnectError("refused")] * 3)
    client, _ = faulty(handler, retries=2)
    with pytest.raises(NoAnswer, match="refused"):
        client.health.read()
    assert len(seen) == 3


async def test_an_answer_that_is_lost_is_given_again_by_the_server(
    services: Services, tenant: Tenant
) -> None:
    """The server makes the list, the answer is lost on the way: the second try finds it made."""
    inner, lost = httpx.ASGITransport(app=create_server(services)), list[int]()

    class Losing(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            answer = await inner.handle_async_request(request)
            if not lost:
                lost.append(answer.status_code)
                raise httpx.ReadError("cut off")
            return answer

    clock, http = Clock(), httpx.AsyncClient(transport=Losing())
    async with AsyncSightline("http://sightline.test", tenant.key, http=http) as client:
        client.transport.sleep = clock.sleep_async
        await client.lists.create({"name": "Harbors"})
        assert lost == [201]
        assert [each["name"] async for each in client.lists.list()] == ["Harbors"]
