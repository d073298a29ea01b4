"""Compression, entity tags and the credit headers of refusals."""

import gzip
import json
from uuid import uuid4

import httpx
import pytest
import zstandard

from sightline.api.endpoints import BASE_PATH, ENDPOINTS

DOCUMENT = f"{BASE_PATH}/openapi.json"
CREDITS = f"{BASE_PATH}/organization/credits"


async def _raw(
    client: httpx.AsyncClient, path: str, **headers: str
) -> tuple[httpx.Response, bytes]:
    """The answer and its bytes as they travelled."""
    async with client.stream("GET", path, headers=headers) as response:
        return response, b"".join([part async for part in response.aiter_raw()])


async def test_answers_are_compressed_as_asked(client: httpx.AsyncClient) -> None:
    plain, whole = await _raw(client, DOCUMENT, **{"accept-encoding": "identity"})
    zipped, small = await _raw(client, DOCUMENT, **{"accept-encoding": "gzip, br"})
    packed, smaller = await _raw(client, DOCUMENT, **{"accept-encoding": "gzip, zstd"})
    assert "content-encoding" not in plain.headers
    assert zipped.headers["content-encoding"] == "gzip"
    assert packed.headers["content-encoding"] == "zstd"
    assert gzip.decompress(small) == whole
    assert zstandard.ZstdDecompressor().decompressobj().decompress(smaller) == whole
    assert len(small) < len(whole) / 5
    assert {r.headers["vary"] for r in (plain, zipped, packed)} == {"Accept-Encoding"}
    assert len({r.headers["etag"] for r in (plain, zipped, packed)}) == 1


@pytest.mark.parametrize("accepted", ["gzip;q=0", "zstd;q=nonsense", "br", ""])
async def test_what_is_not_accepted_is_not_sent(client: httpx.AsyncClient, accepted: str) -> None:
    response, _ = await _raw(client, DOCUMENT, **{"accept-encoding": accepted})
    assert "content-encoding" not in response.headers


async def test_small_answers_stay_plain(client: httpx.AsyncClient) -> None:
    response, body = await _raw(client, CREDITS, **{"accept-encoding": "gzip"})
    assert "content-encoding" not in response.headers
    assert json.loads(body)["credit_remaining"]


async def test_a_read_the_caller_has_is_not_sent_again(client: httpx.AsyncClient) -> None:
    first = await client.get(CREDITS)
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "private, no-cache"
    for named in (tag, tag.removeprefix("W/"), f'"other", {tag}', "*"):
        again = await client.get(CREDITS, headers={"if-none-match": named})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == tag
        assert again.headers["x-request-id"]
    other = await client.get(CREDITS, headers={"if-none-match": '"other"'})
    assert other.status_code == 200


async def test_writes_and_refusals_have_no_tag(client: httpx.AsyncClient) -> None:
    searched = await client.post(f"{BASE_PATH}/accounts", json={})
    missing = await client.get(f"{BASE_PATH}/companies/{uuid4()}")
    for response in (searched, missing):
        assert "etag" not in response.headers
        assert response.headers["cache-control"] == "no-store"


async def test_refused_calls_of_priced_operations_say_that_nothing_was_charged(
    client: httpx.AsyncClient,
) -> None:
    for endpoint in ENDPOINTS:
        if endpoint.price is None:
            continue
        path = BASE_PATH + endpoint.path
        for name in ("company_id", "territory_id", "content_id"):
            path = path.replace(f"{{{name}}}", str(uuid4()))
        # One field too many is refused by every operation before it does anything.
        body = {"json": {"no_such_field": 1}} if endpoint.method == "POST" else {}
        response = await client.request(
            endpoint.method, path, params={"no_such_parameter": "1"}, **body
        )
        assert response.status_code == 400, endpoint.name
        assert response.headers["x-credits-charged"] == "0", endpoint.name
        assert int(response.headers["x-credits-remaining"]) >= 0, endpoint.name
        assert response.headers["x-credits-type"] in ("company", "content", "territory", "contact")
