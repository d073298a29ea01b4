"""What a fetch sends and what it answers."""

import datetime
import ipaddress
import ssl
from pathlib import Path

import pytest
import structlog
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from sightline.kit.fetch.answer import HostRules, Validators
from sightline.kit.fetch.client import Fetcher, FetcherConfig
from sightline.kit.fetch.errors import TlsFailed, TooManyRedirects
from tests.kit.fetch.sites import PUBLIC, Heard, Names, Network, fetcher, response, running, shop

OTHER = "93.184.216.99"


async def test_an_answer_has_all_there_is_to_know() -> None:
    page = response("<p>hällo</p>", content_type='Text/HTML; Charset="UTF8"', ETag='"1"', X_A="b")
    async with shop({"/a?b=c": page}) as (_, made):
        answer = await made.get("http://shop.test/a?b=c#d")
    assert answer.status == 200
    assert answer.ok
    assert not answer.not_modified
    assert answer.url == answer.final_url == "http://shop.test/a?b=c"
    assert answer.redirects == ()
    assert answer.headers["x-a"] == "b"
    assert answer.media_type == "text/html"
    assert answer.charset == "utf-8"
    assert answer.content.decode() == "<p>hällo</p>"
    assert answer.validators == Validators(etag='"1"')
    assert answer.fetched_at.tzinfo is not None
    assert answer.elapsed > 0


@pytest.mark.parametrize(
    ("content_type", "media_type", "charset"),
    [
        ("text/html", "text/html", None),
        ("text/html;charset=latin1", "text/html", "iso8859-1"),
        ("application/json ; charset=nonsense", "application/json", None),
        ("text/html; charset=zlib", "text/html", None),
        ("text/html; charset=rot13", "text/html", None),
        ("text/html, text/html; charset=utf-8", "text/html", "utf-8"),
        ("nonsense", None, None),
        ("", None, None),
    ],
)
async def test_content_types_are_read_as_said(
    content_type: str, media_type: str | None, charset: str | None
) -> None:
    async with shop({"/": response("x", content_type=content_type)}) as (_, made):
        answer = await made.get("http://shop.test/")
    assert (answer.media_type, answer.charset) == (media_type, charset)


async def test_repeated_headers_are_joined_and_cookies_stay_apart() -> None:
    page = (
        b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nVary: a\r\nVary: b\r\n"
        b"Set-Cookie: a=1; Expires=Mon, 05 Jan 2026 10:00:00 GMT\r\nSet-Cookie: b=2\r\n\r\n"
    )
    async with shop({"/": page}) as (site, made):
        answer = await made.get("http://shop.test/")
        await made.get("http://shop.test/")
    assert answer.headers["vary"] == "a, b"
    assert answer.headers["set-cookie"].splitlines() == [
        "a=1; Expires=Mon, 05 Jan 2026 10:00:00 GMT",
        "b=2",
    ]
    assert "cookie" not in site.heard[-1].headers


@pytest.mark.parametrize("status", [204, 400, 401, 403, 404, 410, 418, 500, 502])
async def test_every_status_is_an_answer(status: int) -> None:
    async with shop({"/": response("", f"{status} So")}) as (_, made):
        answer = await made.get("http://shop.test/")
    assert answer.status == status
    assert answer.ok is (status == 204)


async def test_the_user_agent_names_a_contact() -> None:
    async with shop({}, product="Sightline/9", contact="ops@acme.example") as (site, made):
        await made.get("http://shop.test/")
    for heard in site.heard:
        assert heard.headers["user-agent"] == "Sightline/9 (+ops@acme.example)"
        assert heard.headers["host"] == "shop.test"
    with pytest.raises(ValueError, match="printable"):
        Fetcher(FetcherConfig(contact="ops\r\nX-Evil: 1"))


async def test_a_conditional_fetch_costs_no_body() -> None:
    def page(heard: Heard) -> bytes:
        if heard.headers.get("if-none-match") == '"v1"':
            return b'HTTP/1.1 304 Not Modified\r\nETag: "v1"\r\nContent-Encoding: gzip\r\n\r\n'
        return response("body", ETag='"v1"', last_modified="Mon, 05 Jan 2026 10:00:00 GMT")

    async with shop({"/": page}) as (site, made):
        first = await made.get("http://shop.test/")
        again = await made.get("http://shop.test/", conditional=first.validators)
    assert again.not_modified
    assert again.content == b""
    assert site.heard[-1].headers["if-modified-since"] == "Mon, 05 Jan 2026 10:00:00 GMT"


async def test_own_headers_are_sent_but_not_those_of_the_connection() -> None:
    async with shop({}) as (site, made):
        await made.get(
            "http://shop.test/",
            accept="application/json",
            headers={"X-Key": "k", "Host": "evil.test", "Accept-Encoding": "br"},
        )
    headers = site.heard[-1].headers
    assert headers["x-key"] == "k"
    assert headers["accept"] == "application/json"
    assert headers["host"] == "shop.test"
    assert headers["accept-encoding"] == "gzip, deflate, zstd"


async def test_redirects_are_followed_and_told() -> None:
    pages = {
        "/": response("", "301 Moved", location="/b?x=1"),
        "/b?x=1": response("", "302 Found", location="http://shop.test/c"),
        "/c": response("", "307 So", location="d d"),
        "/d%20d": response("end"),
    }
    async with shop(pages) as (site, made):
        answer = await made.get("http://shop.test/")
    assert answer.content == b"end"
    assert answer.url == "http://shop.test/"
    assert answer.final_url == "http://shop.test/d%20d"
    assert answer.redirects == (
        "http://shop.test/",
        "http://shop.test/b?x=1",
        "http://shop.test/c",
    )
    assert site.targets.count("/robots.txt") == 1


async def test_five_redirects_are_enough() -> None:
    pages = {f"/{n}": response("", "302 Found", location=f"/{n + 1}") for n in range(9)}
    pages["/9"] = response("end")
    async with shop(pages) as (site, made):
        assert (await made.get("http://shop.test/4")).content == b"end"
        with pytest.raises(TooManyRedirects):
            await made.get("http://shop.test/3")
        asked = len(site.heard)
        site.pages["/5"] = response("", "302 Found", location="/4")
        with pytest.raises(TooManyRedirects, match="loop"):
            await made.get("http://shop.test/4")
        assert len(site.heard) == asked + 2


async def test_a_redirect_without_a_target_is_an_answer() -> None:
    async with shop({"/": response("see below", "300 Choices")}) as (_, made):
        answer = await made.get("http://shop.test/")
    assert (answer.status, answer.content) == (300, b"see below")


async def test_secrets_stay_with_the_origin_they_were_meant_for() -> None:
    async with running({"/x": response("theirs")}) as other:
        pages = {
            "/same": response("", "302 Found", location="/away"),
            "/away": response("", "302 Found", location="http://other.test/x"),
        }
        async with running(pages) as site:
            names = Names({"shop.test": [PUBLIC], "other.test": [OTHER]})
            async with fetcher(names=names, network=Network({PUBLIC: site, OTHER: other})) as made:
                answer = await made.get(
                    "http://shop.test/same",
                    headers={"Authorization": "Bearer s", "Cookie": "c=1", "X-Api-Key": "k"},
                )
    assert answer.content == b"theirs"
    assert site.heard[-1].headers["authorization"] == "Bearer s"
    for name in ("authorization", "cookie", "x-api-key"):
        assert name not in other.heard[-1].headers


@pytest.mark.parametrize(
    ("status", "method", "body"),
    [(301, "GET", b""), (303, "GET", b""), (307, "POST", b'{"a":1}'), (308, "POST", b'{"a":1}')],
)
async def test_posts_are_redirected_by_the_rules(status: int, method: str, body: bytes) -> None:
    pages = {"/jobs": response("", f"{status} So", location="/b"), "/b": response("[]")}
    async with shop(pages) as (site, made):
        answer = await made.post("http://shop.test/jobs", {"a": 1})
    assert answer.content == b"[]"
    first, last = site.heard[-2:]
    assert (first.method, first.body) == ("POST", b'{"a":1}')
    assert first.headers["content-type"] == "application/json"
    assert (last.method, last.body) == (method, body)


async def test_connections_are_kept() -> None:
    async with shop({f"/{n}": response("x") for n in range(5)}) as (site, made):
        for n in range(5):
            await made.get(f"http://shop.test/{n}")
    assert site.connections == 1


async def test_a_connection_that_broke_is_tried_once_more_for_a_get_alone() -> None:
    async with shop({}) as (site, made):
        left = [b"", response("second try")]

        async def hang_up():  # type: ignore[no-untyped-def]
            yield left.pop(0)

        site.pages["/"] = lambda _: hang_up()
        assert (await made.get("http://shop.test/")).content == b"second try"
        left[:] = [b"", response("never")]
        with pytest.raises(Exception, match="connection broke"):
            await made.post("http://shop.test/", {})
        assert left == [response("never")]


async def test_log_lines_have_no_query() -> None:
    pages = {"/a?token=secret": response("x")}
    with structlog.testing.capture_logs() as lines:
        async with shop(pages) as (_, made):
            await made.get("http://shop.test/a?token=secret")
            with pytest.raises(Exception, match="does not exist"):
                await made.get("http://gone.test/?token=secret")
    answered, failed = lines
    assert answered["url"] == "http://shop.test/a"
    assert (answered["status"], answered["bytes"]) == (200, 1)
    assert failed["outcome"] == "host_unknown"
    assert "secret" not in str(lines)


def make_certificate(folder: Path, host: str) -> Path:
    """A self-signed certificate for `host` with its key, in one PEM file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName(
                [x509.DNSName(host), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
            ),
            critical=False,
        )
        .sign(key, hashes.SHA256())
    )
    path = folder / "site.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return path


async def test_tls_is_checked_against_the_name_and_not_the_address(tmp_path: Path) -> None:
    pem = make_certificate(tmp_path, "shop.test")
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server.load_cert_chain(pem)
    trusting = ssl.create_default_context(cafile=str(pem))
    names = Names({"shop.test": [PUBLIC], "other.test": [PUBLIC]})
    async with running({"/": response("sealed")}, tls=server) as site:
        network = Network({PUBLIC: site})
        async with fetcher(names=names, network=network, tls=trusting) as made:
            assert (await made.get("https://shop.test/")).content == b"sealed"
            with pytest.raises(TlsFailed, match="Hostname mismatch"):
                await made.get("https://other.test/")
        async with fetcher(names=names, network=network) as made:
            with pytest.raises(TlsFailed, match="self-signed"):
                await made.get("https://shop.test/", rules=HostRules(obey_robots=False))
