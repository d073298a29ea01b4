"""URLs are read strictly and into one form; addresses inside a network are known in every spelling."""

from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.kit.fetch.addresses import (
    WEB_PORTS,
    join,
    parse_url,
    read_networks,
    why_forbidden,
)
from sightline.kit.fetch.errors import AddressIsForbidden, FetchFailed, UrlIsMalformed
from tests.kit.fetch.sites import words


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("https://acme.example", "https://acme.example/"),
        ("HTTPS://ACME.Example:443/A?b=C#frag", "https://acme.example/A?b=C"),
        ("http://acme.example:8080/", "http://acme.example:8080/"),
        ("http://acme.example:/x", "http://acme.example/x"),
        ("  https://acme.example/a b\n", "https://acme.example/a%20b"),
        ("https://acme.example./x", "https://acme.example/x"),
        ("https://bücher.example/ä?ü=ß", "https://xn--bcher-kva.example/%C3%A4?%C3%BC=%C3%9F"),
        ("https://acme。example/x", "https://acme.example/x"),
        ("https://acme.example/a/../b/./c", "https://acme.example/b/c"),
        ("https://acme.example/a/%2E%2e/b", "https://acme.example/b"),
        ("https://acme.example/a/..", "https://acme.example/"),
        ("https://acme.example/../../x", "https://acme.example/x"),
        ("https://acme.example/a//b", "https://acme.example/a//b"),
        ("https://acme.example/%zz%41", "https://acme.example/%zz%41"),
        ("https://acme.example/a\\..\\b", "https://acme.example/a%5C..%5Cb"),
        ("https://acme.example?q=1", "https://acme.example/?q=1"),
        ("https://acme.example/?", "https://acme.example/?"),
        ("https://my_shop.acme.example/", "https://my_shop.acme.example/"),
        ("http://93.184.216.34/", "http://93.184.216.34/"),
        ("http://[2606:2800:0220:1::]/", "http://[2606:2800:220:1::]/"),
        ("https://acme.example/.well-known/x", "https://acme.example/.well-known/x"),
    ],
)
def test_a_url_has_one_form(text: str, canonical: str) -> None:
    assert str(parse_url(text)) == canonical
    assert str(parse_url(canonical)) == canonical


@pytest.mark.parametrize(
    "text",
    [
        "",
        "acme.example/x",
        "//acme.example/x",
        "https:acme.example",
        "https:/acme.example",
        "https://",
        "https:///x",
        "https://?x",
        "https://acme..example/",
        "https://acme.example../",
        "https://-acme.example/",
        "https://acme.example:80a/",
        "https://acme.example:８０/",
        "https://acme.example:443:443/",
        "https://acme.exam\tple/",
        "https://acme.example/\r\nHost: evil.example",
        "https://acme.example/\x00",
        "https://acme.example\\.evil.example/",
        "https://[::1/",
        "https://[2606::1]x/",
        "https://acme%2eexample/",
        "https://" + "a" * 64 + ".example/",
        "https://" + "a." * 130 + "example/",
        "https://acme.example/" + "a" * 8_000,
        "https://acme.example/\ud800",
        "https://☃.example/",
    ],
)
def test_what_is_no_url_is_refused(text: str) -> None:
    with pytest.raises((UrlIsMalformed, AddressIsForbidden)):
        parse_url(text)


@pytest.mark.parametrize(
    "text",
    [
        "ftp://acme.example/",
        "file:///etc/passwd",
        "gopher://acme.example/",
        "javascript:alert(1)",
        "data:text/html,x",
        "mailto:a@acme.example",
        "https://user@acme.example/",
        "https://user:secret@acme.example/",
        "https://@acme.example/",
        "https://acme.example@evil.example/",
        "https://acme.example:22/",
        "https://acme.example:0/",
        "https://acme.example:65536/",
        "https://acme.example:99999/",
    ],
)
def test_schemes_credentials_and_ports_are_refused(text: str) -> None:
    with pytest.raises(AddressIsForbidden) as caught:
        parse_url(text)
    assert not caught.value.retryable
    assert "secret" not in str(caught.value)


def test_all_ports_can_be_opened_but_not_invalid_ones() -> None:
    assert parse_url("http://acme.example:12345/", ports=None).port == 12_345
    with pytest.raises(AddressIsForbidden):
        parse_url("http://acme.example:65536/", ports=None)


INSIDE = words("""
0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1
127.255.255.254 168.63.129.16 169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1
192.0.0.192 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.1 192.168.255.255
192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255
240.0.0.1 255.255.255.255
:: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:169.254.169.254
::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b::169.254.169.254 64:ff9b:1::1
64:ff9b:1::7f00:1 100::1 2001::1 2001:0:7f00:1:: 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:2::1
2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1:: 2002:a00:1:: 2002:a9fe:a9fe:: 2002:5db8:d822::1
3ffe::1 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fdff::1 fe80::1 fe80::1%eth0 fe80::1%1 fec0::1 ff02::1
ff0e::1 2606:2800:220:1:0:5efe:7f00:1 2606:2800:220:1:200:5efe:a00:1
""")
OUTSIDE = words("""
1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 93.184.216.34 100.63.255.255 100.128.0.0 126.255.255.255
128.0.0.1 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255
192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255
2606:2800:220:1:248:1893:25c8:1946 2a00:1450:4001::1 2001:4860:4860::8888 64:ff9b::8.8.8.8
::ffff:8.8.8.8 2606:2800:220:1:0:5efe:808:808
""")


@pytest.mark.parametrize("text", INSIDE)
def test_addresses_inside_are_forbidden(text: str) -> None:
    assert why_forbidden(ip_address(text))


@pytest.mark.parametrize("text", OUTSIDE)
def test_public_addresses_are_not(text: str) -> None:
    assert why_forbidden(ip_address(text)) is None


def test_networks_can_be_allowed() -> None:
    allow = read_networks(["10.1.0.0/16", "::1"])
    for text in ("10.1.2.3", "::ffff:10.1.2.3", "64:ff9b::10.1.2.3", "::1"):
        assert why_forbidden(ip_address(text), allow) is None
    for text in ("10.2.0.1", "127.0.0.1", "::2", "169.254.169.254"):
        assert why_forbidden(ip_address(text), allow)
    assert parse_url("http://10.1.2.3/", allow=allow).host == "10.1.2.3"
    with pytest.raises(ValueError, match="does not appear"):
        read_networks(["ten"])


@given(st.integers(min_value=0, max_value=2**32 - 1))
def test_an_ipv4_address_is_judged_alike_in_all_its_ipv6_clothes(number: int) -> None:
    plain = bool(why_forbidden(ip_address(number)))
    for base in (0xFFFF << 32, 0x64FF9B << 96):
        assert bool(why_forbidden(ip_address(base | number))) is plain


@given(st.text(alphabet="htps:/.[]@%\\?#01x7fabez。１-_ \t\n", max_size=40))
def test_any_text_is_a_url_that_reads_the_same_again_or_is_refused(tail: str) -> None:
    for text in (tail, "http://" + tail, "https://acme.example/" + tail):
        try:
            url = parse_url(text, ports=WEB_PORTS)
        except FetchFailed:
            continue
        assert parse_url(str(url)) == url
        assert str(url).isascii()
        assert str(url).isprintable()
        assert " " not in str(url)


def test_redirect_targets_are_joined() -> None:
    base = parse_url("https://acme.example/a/b?c=1")
    assert join(base, "../x") == "https://acme.example/x"
    assert join(base, "//evil.example/x") == "https://evil.example/x"
    assert join(base, "?d=2") == "https://acme.example/a/b?d=2"
    with pytest.raises(UrlIsMalformed):
        join(base, "http://[::1")
