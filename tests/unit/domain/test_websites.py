"""Domains and addresses, from what people write into a website column."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sightline.domain.tables import toml_table
from sightline.domain.websites import WebsiteReading, domain_of, read_website


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("www.spacex.com/careers", "spacex.com"),
        ("http://www.twitch.tv", "twitch.tv"),
        ("https://sub.shop.example.co.uk:8443/a?b=c#d", "example.co.uk"),
        ("https://user:secret@foo.com/x", "foo.com"),
        ("A@B.com", "b.com"),
        ("mailto:a@b.org", "b.org"),
        ("Bücher.de", "xn--bcher-kva.de"),
        ("http://XN--BCHER-KVA.de/", "xn--bcher-kva.de"),
        ("acme.example", "acme.example"),
        ("https://www.shop.acme.example/x", "acme.example"),
        ("acme.uk.com", "acme.uk.com"),
        ("https://www.gov.uk", "gov.uk"),
        ("FOO.COM.", "foo.com"),
        ("http:/foo.com", "foo.com"),
        ("http//foo.com", "foo.com"),
        ("https:foo.com", "foo.com"),
        ("http://https://foo.com", "foo.com"),
        ("//foo.com/x", "foo.com"),
        ("foo.com, bar.com", "foo.com"),
        ("N/A; foo.com", "foo.com"),
        ("https://github.com", "github.com"),
        ("https://www.linkedin.com/", "linkedin.com"),
        ("https://www.facebook.com/en_US/", "facebook.com"),
        ("http://foo.zip/x", "foo.zip"),
    ],
)
def test_domain_of(text: str, domain: str) -> None:
    assert domain_of(text) == domain


@pytest.mark.parametrize(
    "text",
    [
        "", " ", None, "N/A", "n.a.", "null", "none", "None", "-", "localhost", "localhost:8000",
        "http://192.168.1.1/x", "10.0.0.1", "[::1]", "http://[2001:db8::1]/", "readme.txt", "logo.png",
        "data.zip", "Acme Inc", "http://", "co.uk", "12.5", "1.2.3", "U.S.A", "foo..com", "-foo.com",
        "foo.com:http", "a b c", "none.com", "/services/images/photo/1",
    ],
)  # fmt: skip
def test_no_public_host(text: str | None) -> None:
    assert read_website(text) == WebsiteReading(None, None, False)


@pytest.mark.parametrize(
    "text",
    [
        "https://facebook.com/acme",
        "linkedin.com/company/acme",
        "acme.github.io",
        "https://acme.wixsite.com/home",
        "acme.notion.site",
        "https://apps.apple.com/us/app/acme/id1",
        "https://sites.google.com/view/acme",
        "https://bit.ly/3abc",
        "https://web.archive.org/web/2020/http://acme.com",
        "acme.wordpress.com",
        "https://medium.com/@acme",
        "acme.herokuapp.com",
    ],
)
def test_shared_hosts_are_nobodys_domain(text: str) -> None:
    reading = read_website(text)
    assert reading.shared_host
    assert reading.domain is None
    assert reading.website is not None


def test_public_mail_is_nobodys_domain() -> None:
    assert read_website("jane@gmail.com") == WebsiteReading(None, None, True)
    assert read_website("jane@acme.com") == WebsiteReading("acme.com", None, False)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("Foo.com/", "https://foo.com"),
        ("http://user:pw@foo.com:8080/a/b/?token=1#x", "https://foo.com:8080/a/b"),
        ("http://foo.com:80", "https://foo.com"),
        ("https://foo.com/a%20b/ü", "https://foo.com/a%20b/%C3%BC"),
        ("bücher.de", "https://xn--bcher-kva.de"),
        ("ftp://foo.com/x", None),
        ("a@foo.com", None),
    ],
)
def test_website_url(text: str, url: str | None) -> None:
    assert read_website(text).website == url


@given(st.one_of(st.text(max_size=80), st.text(alphabet="ab.:/@?#-www com", max_size=40)))
@example("http://" * 50)
@example("a@" * 30 + "b.com")
@example("ＦＯＯ．ＣＯＭ")
def test_reading_never_raises_and_settles(text: str) -> None:
    reading = read_website(text)
    if reading.domain is not None:
        assert domain_of(reading.domain) == reading.domain
        assert reading.domain.isascii()
        assert reading.domain == reading.domain.lower()
    if reading.website is not None:
        again = read_website(reading.website)
        assert again == reading
        assert "?" not in reading.website
        assert "@" not in reading.website.split("/")[2]


def test_no_address_of_a_job_board_is_an_employers_domain() -> None:
    hosts = [
        host for named in toml_table("job_boards.toml")["hosts"].values() for host in named.split()
    ]
    assert len(hosts) > 25
    for host in hosts:
        assert domain_of(f"https://tarn.{host}/jobs") is None
        assert domain_of(f"https://www.{host}/products") == host


@pytest.mark.parametrize("scheme", ["http://", "https://"])
@pytest.mark.parametrize(
    "host",
    [
        "www.acme.co.uk", "acme.com", "acme.blogspot.com", "www.linkedin.com", "shop.acme.example",
        "localhost.test", "archive.zip", "a-b.c-d.org", "-acme.com", "acme-.com", "acme..com",
        f"{'a.' * 126}com", f"{'a' * 64}.com", "10.0.0.1", "www.gov.uk", "xn--mnchen-3ya.de",
    ],
)  # fmt: skip
def test_a_plain_address_reads_as_one_with_something_around_it(scheme: str, host: str) -> None:
    for tail in ("", "/"):
        address = f"{scheme}{host}{tail}"
        assert read_website(address) == read_website(f"({address})")
