"""An answer never takes more memory or time than it may."""

import asyncio
import gzip
import time
import zlib
from collections.abc import AsyncIterator

import pytest
import zstandard

from sightline.kit.fetch.answer import HostRules
from sightline.kit.fetch.bounds import Limits
from sightline.kit.fetch.errors import (
    AnswerIsMalformed,
    BodyIsTooLarge,
    CompressionBomb,
    ConnectionBroke,
    EncodingIsUnknown,
    FetchFailed,
    HeadersAreTooLarge,
    HostIsUnknown,
    HostIsUnreachable,
    NameLookupFailed,
    TimedOut,
)
from sightline.kit.fetch.resolver import SystemResolver
from tests.kit.fetch.sites import PUBLIC, Heard, Names, Network, fetcher, response, running, shop
from tests.waiting import LONGEST_SECONDS

NO_ROBOTS = HostRules(obey_robots=False)
TEXT = "".join(f"Line {n} of a page that is not all alike. " for n in range(3_000)).encode()


def bare_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def unsized_zstd(data: bytes) -> bytes:
    """As servers pack what they stream: a frame that does not say how large it will be."""
    packer = zstandard.ZstdCompressor().compressobj()
    return packer.compress(data) + packer.flush()


SKIPPED = b"\x50\x2a\x4d\x18" + (3).to_bytes(4, "little") + b"abc"  # RFC 8878 3.1.2
# Asks for a window of 64 MiB, eight times what the web may use.
WIDE_WINDOW = b"\x28\xb5\x2f\xfd\x00\x80" + b"\x03\x00\x10\0"
RLE_BLOCKS = b"\x28\xb5\x2f\xfd\x00\x58" + b"\x02\x00\x10\0" * 40  # 128 KiB of four bytes each


@pytest.mark.parametrize(
    ("coding", "packed"),
    [
        ("gzip", gzip.compress(TEXT, mtime=0)),
        ("x-gzip", gzip.compress(TEXT, mtime=0)),
        ("GZIP", gzip.compress(TEXT, mtime=0)),
        ("gzip", gzip.compress(TEXT[:500], mtime=0) + gzip.compress(TEXT[500:], mtime=0)),
        ("gzip", gzip.compress(TEXT, mtime=0) + b"\0" * 100),
        ("deflate", zlib.compress(TEXT)),
        ("deflate", bare_deflate(TEXT)),
        ("zstd", zstandard.compress(TEXT)),
        ("zstd", zstandard.compress(TEXT[:500]) + zstandard.compress(TEXT[500:])),
        ("zstd", zstandard.compress(TEXT) + SKIPPED),
        ("zstd", unsized_zstd(TEXT)),
        ("identity", TEXT),
        ("", TEXT),
    ],
)
async def test_bodies_are_decoded(coding: str, packed: bytes) -> None:
    pages = {"/": response(packed, content_encoding=coding)}
    async with shop(pages) as (site, made):
        assert (await made.get("http://shop.test/")).content == TEXT
        assert site.heard[-1].headers["accept-encoding"] == "gzip, deflate, zstd"


@pytest.mark.parametrize("coding", ["gzip", "deflate", "zstd"])
async def test_an_empty_body_may_claim_to_be_packed(coding: str) -> None:
    async with shop({"/": response(b"", content_encoding=coding)}) as (_, made):
        assert (await made.get("http://shop.test/")).content == b""


@pytest.mark.parametrize("size", [9_999, 10_000])
async def test_a_body_may_have_exactly_as_many_bytes_as_allowed(size: int) -> None:
    plain, packed = response(TEXT[:size]), gzip.compress(TEXT[:size], mtime=0)
    pages = {"/": plain, "/gz": response(packed, content_encoding="gzip")}
    async with shop(pages) as (_, made):
        for path in pages:
            answer = await made.get(f"http://shop.test{path}", max_bytes=10_000)
            assert len(answer.content) == size


@pytest.mark.parametrize("coding", ["", "gzip", "deflate", "zstd"])
@pytest.mark.parametrize("says_length", [True, False])
async def test_one_byte_more_is_refused(coding: str, says_length: bool) -> None:
    body = TEXT[:10_001]
    packed = {
        "": body,
        "gzip": gzip.compress(body, mtime=0),
        "deflate": zlib.compress(body),
        "zstd": zstandard.compress(body),
    }[coding]
    made_response = response(packed, content_encoding=coding)
    if not says_length:
        chunk = f"{len(packed):x}\r\n".encode() + packed + b"\r\n0\r\n\r\n"
        head = (
            f"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: {coding}\r\n\r\n"
        )
        made_response = head.encode() + chunk
    async with shop({"/": made_response}) as (_, made):
        with pytest.raises(BodyIsTooLarge):
            await made.get("http://shop.test/", max_bytes=10_000)


async def test_an_endless_body_is_left_at_the_limit() -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        yield b"HTTP/1.1 200 OK\r\n\r\n"
        while True:
            sent += 65_536
            yield b"x" * 65_536

    async with shop({"/": lambda _: endless()}) as (_, made):
        with pytest.raises(BodyIsTooLarge):
            await made.get("http://shop.test/", max_bytes=100_000)
    assert sent < 20_000_000  # what socket buffers hold, not what the server would send


@pytest.mark.parametrize(
    ("packed", "coding"),
    [
        (gzip.compress(b"\0" * 4_000_000, mtime=0), "gzip"),
        (zlib.compress(b"\0" * 4_000_000), "deflate"),
        (bare_deflate(b"\0" * 4_000_000), "deflate"),
        (gzip.compress(b"", mtime=0) * 20_000, "gzip"),
        (zstandard.compress(b"\0" * 4_000_000), "zstd"),
        (unsized_zstd(b"\0" * 400_000_000), "zstd"),
        (RLE_BLOCKS, "zstd"),
        (SKIPPED * 20_000, "zstd"),
        (zstandard.compress(b"") * 20_000, "zstd"),
    ],
)
async def test_bombs_are_not_unpacked(packed: bytes, coding: str) -> None:
    async with shop({"/": response(packed, content_encoding=coding)}) as (_, made):
        started = time.process_time()
        with pytest.raises(CompressionBomb):
            await made.get("http://shop.test/")
        assert time.process_time() - started < 2


async def test_a_small_body_may_be_all_alike() -> None:
    packed = gzip.compress(b" " * 90_000, mtime=0)
    async with shop({"/": response(packed, content_encoding="gzip")}) as (_, made):
        assert len((await made.get("http://shop.test/")).content) == 90_000


@pytest.mark.parametrize(
    "coding",
    ["br", "compress", "gzip, gzip", "zstd, gzip", "deflate, gzip", "aws-chunked", "x" * 500],
)
async def test_only_codings_that_were_offered_are_read(coding: str) -> None:
    body = zstandard.compress(b"\0" * 1_000_000)
    async with shop({"/": response(body, content_encoding=coding)}) as (_, made):
        with pytest.raises(EncodingIsUnknown):
            await made.get("http://shop.test/")


@pytest.mark.parametrize(
    ("coding", "body", "failure"),
    [
        ("gzip", b"<html>not packed</html>", AnswerIsMalformed),
        ("gzip", gzip.compress(TEXT, mtime=0)[:-100], ConnectionBroke),
        ("gzip", gzip.compress(TEXT, mtime=0)[:3], ConnectionBroke),
        ("gzip", gzip.compress(TEXT, mtime=0)[:-8] + bytes(8), AnswerIsMalformed),
        ("zstd", b"<html>not packed</html>", AnswerIsMalformed),
        ("zstd", zstandard.compress(TEXT)[:-100], ConnectionBroke),
        ("zstd", zstandard.compress(TEXT)[:3], ConnectionBroke),
        ("zstd", zstandard.compress(TEXT) + b"<html>", AnswerIsMalformed),
        ("zstd", WIDE_WINDOW, AnswerIsMalformed),
    ],
)
async def test_broken_packing_is_said(coding: str, body: bytes, failure: type[FetchFailed]) -> None:
    async with shop({"/": response(body, content_encoding=coding)}) as (_, made):
        with pytest.raises(failure):
            await made.get("http://shop.test/")


async def test_headers_have_bounds() -> None:
    many = b"HTTP/1.1 200 OK\r\n" + b"X-A: b\r\n" * 300 + b"Content-Length: 0\r\n\r\n"
    long = b"HTTP/1.1 200 OK\r\nX-A: " + b"b" * 70_000 + b"\r\nContent-Length: 0\r\n\r\n"
    async with shop({"/many": many, "/long": long}) as (_, made):
        for path in ("/many", "/long"):
            with pytest.raises(HeadersAreTooLarge):
                await made.get(f"http://shop.test{path}")


async def test_endless_headers_are_left() -> None:
    async def endless() -> AsyncIterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\n"
        while True:
            yield b"X-More: and more and more and more\r\n" * 100

    async with shop({"/": lambda _: endless()}) as (_, made):
        with pytest.raises(HeadersAreTooLarge):
            await made.get("http://shop.test/")


async def drip(head: bytes, piece: bytes) -> AsyncIterator[bytes]:
    yield head
    while True:
        await asyncio.sleep(0.02)
        yield piece


@pytest.mark.parametrize(
    ("head", "piece"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", b"x"),
        (b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n"),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        (b"", b""),
    ],
)
async def test_a_server_that_drips_is_left_in_time(head: bytes, piece: bytes) -> None:
    limits = Limits(total_seconds=0.3)
    pages = {"/": lambda _: drip(head, piece)}
    async with shop(pages, limits=limits) as (_, made):
        async with asyncio.timeout(LONGEST_SECONDS):
            with pytest.raises(TimedOut) as caught:
                await made.get("http://shop.test/", rules=NO_ROBOTS)
        assert caught.value.retryable


async def test_all_redirects_share_one_time_limit() -> None:
    async def slow(to: int) -> AsyncIterator[bytes]:
        await asyncio.sleep(0.15)
        yield response("", "302 Found", location=f"/{to}")

    pages = {f"/{n}": (lambda _, n=n: slow(n + 1)) for n in range(5)}
    async with shop(pages, limits=Limits(total_seconds=0.35)) as (site, made):
        with pytest.raises(TimedOut):
            await made.get("http://shop.test/0", rules=NO_ROBOTS)
    assert "/4" not in site.targets


@pytest.mark.parametrize(
    ("sent", "failure"),
    [
        (b"", ConnectionBroke),
        (b"SSH-2.0-OpenSSH_9.2\r\n", ConnectionBroke),
        (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", AnswerIsMalformed),
        (b"\x15\x03\x01\x00\x02\x02\x46" * 10 + b"\r\n\r\n", AnswerIsMalformed),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort", ConnectionBroke),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", AnswerIsMalformed),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\nx", AnswerIsMalformed),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", AnswerIsMalformed),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", ConnectionBroke),
    ],
)
async def test_broken_answers_are_said(sent: bytes, failure: type[FetchFailed]) -> None:
    async def send(_: Heard) -> AsyncIterator[bytes]:
        yield sent

    async with shop({"/": lambda heard: send(heard)}) as (_, made):
        with pytest.raises(failure):
            await made.get("http://shop.test/")


async def test_hosts_that_are_not_there() -> None:
    network = Network({})
    names = Names({"dead.test": [[PUBLIC, "93.184.216.35"]], "empty.test": [[]]})
    async with fetcher(names=names, network=network) as made:
        with pytest.raises(HostIsUnreachable) as unreachable:
            await made.get("http://dead.test/")
        assert network.dialled == [PUBLIC, "93.184.216.35"]
        assert unreachable.value.retryable
        for host in ("unknown.test", "empty.test"):
            with pytest.raises(HostIsUnknown) as unknown:
                await made.get(f"http://{host}/page?token=secret")
            assert not unknown.value.retryable
            assert "secret" not in str(unknown.value)


async def test_the_next_address_is_tried() -> None:
    async with running({"/": response("second")}) as site:
        names = Names({"two.test": [["93.184.216.35", PUBLIC]]})
        async with fetcher(names=names, network=Network({PUBLIC: site})) as made:
            assert (await made.get("http://two.test/")).content == b"second"


async def test_the_machines_own_resolver_is_asked_and_judged() -> None:
    resolver = SystemResolver(threads=1)
    assert {str(each) for each in await resolver("localhost")} & {"127.0.0.1", "::1"}
    with pytest.raises((HostIsUnknown, NameLookupFailed)):
        await resolver("no-such-host.invalid")
    with pytest.raises(HostIsUnknown):
        await resolver("a" * 70 + ".invalid")
    resolver.close()


async def test_a_slow_name_server_is_left_in_time() -> None:
    class Slow(Names):
        async def __call__(self, host: str):  # type: ignore[no-untyped-def]
            await asyncio.Event().wait()

    limits = Limits(connect_seconds=0.1)
    async with fetcher(names=Slow({}), network=Network({}), limits=limits) as made:
        with pytest.raises(TimedOut):
            await made.get("http://slow.test/", rules=NO_ROBOTS)
