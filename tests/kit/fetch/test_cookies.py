"""Cookies live as long as one chain of redirects, and go back only to the host that set them."""

import itertools

import pytest

from sightline.kit.fetch.addresses import parse_url
from sightline.kit.fetch.cookies import Cookies
from sightline.kit.fetch.errors import TooManyRedirects
from tests.kit.fetch.sites import (
    PUBLIC,
    Heard,
    Names,
    Network,
    Respond,
    fetcher,
    response,
    running,
    shop,
)

OTHER = "93.184.216.99"
SHOP = parse_url("https://shop.test/")


def held(*lines: str, url: str = "https://shop.test/") -> str:
    """The Cookie header after one answer of shop.test."""
    cookies = Cookies()
    cookies.take(SHOP, "\n".join(lines))
    return cookies.header(parse_url(url))


def wants_cookie(heard: Heard) -> bytes:
    if "seen=1" in heard.headers.get("cookie", ""):
        return response("welcome")
    return response("", "302 Found", location=heard.target, set_cookie="seen=1; Path=/; HttpOnly")


async def test_a_site_that_redirects_to_itself_until_it_sees_its_cookie_is_read() -> None:
    async with shop({"/": wants_cookie}) as (site, made):
        answer = await made.get("http://shop.test/")
        assert answer.content == b"welcome"
        assert answer.redirects == ("http://shop.test/",)
        again = await made.get("http://shop.test/")
        assert again.redirects == ("http://shop.test/",), "nothing is remembered between fetches"
    asked = [heard.headers.get("cookie") for heard in site.heard if heard.target == "/"]
    assert asked == [None, "seen=1", None, "seen=1"]


async def test_the_cookie_may_be_set_on_the_way_through_another_page() -> None:
    def home(heard: Heard) -> bytes:
        if heard.headers.get("cookie") == "a=1; b=2":
            return response("in")
        return response("", "302 Found", location="/check", set_cookie="a=1")

    pages: dict[str, bytes | Respond] = {
        "/": home,
        "/check": response("", "307 So", location="/", set_cookie="b=2"),
    }
    async with shop(pages) as (_, made):
        assert (await made.get("http://shop.test/")).content == b"in"


async def test_the_callers_own_cookie_stays() -> None:
    async with shop({"/": wants_cookie}) as (site, made):
        await made.get("http://shop.test/", headers={"Cookie": "mine=1"})
    assert site.heard[-1].headers["cookie"] == "mine=1; seen=1"


@pytest.mark.parametrize(
    "set_cookie", ["", "seen=1", "=1", "seen=1; Max-Age=0", "seen=1; Secure", "sé en=1"]
)
async def test_a_loop_that_a_cookie_does_not_end_is_told(set_cookie: str) -> None:
    page = response("", "302 Found", location="/", **({"set_cookie": set_cookie}))
    async with shop({"/": page}) as (site, made):
        with pytest.raises(TooManyRedirects, match="loop"):
            await made.get("http://shop.test/")
    assert site.targets.count("/") <= 2


async def test_ever_new_cookies_end_at_the_limit_of_redirects() -> None:
    numbers = itertools.count()

    def page(heard: Heard) -> bytes:
        return response("", "302 Found", location="/", set_cookie=f"n={next(numbers)}")

    async with shop({"/": page}) as (site, made):
        with pytest.raises(TooManyRedirects, match="redirects"):
            await made.get("http://shop.test/")
    assert site.targets.count("/") == 6


@pytest.mark.parametrize("domain", ["other.test", ".test", "test", "sub.shop.test", "shop.test"])
async def test_no_cookie_reaches_another_host_whatever_domain_it_claims(domain: str) -> None:
    async with running({"/x": response("theirs")}) as other:
        leave = response(
            "", "302 Found", location="http://other.test/x", set_cookie=f"id=1; Domain={domain}"
        )
        async with running({"/": leave}) as site:
            names = Names({"shop.test": [PUBLIC], "other.test": [OTHER]})
            async with fetcher(names=names, network=Network({PUBLIC: site, OTHER: other})) as made:
                assert (await made.get("http://shop.test/")).content == b"theirs"
    assert all("cookie" not in heard.headers for heard in other.heard)


def test_only_cookies_that_can_go_back_as_they_came_are_kept() -> None:
    assert held("a=1; Path=/", "b=two words", 'c="q"', "d=") == 'a=1; b=two words; c="q"; d='
    assert held("no pair", "=1", "a b=1", "e=é", "f=1\r", "g=\x00") == "f=1"
    assert held("a=1", "a=2") == "a=2"
    assert held("a=1", "a=; Max-Age=0") == ""
    assert held("a=1; Max-Age=-5") == held("a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT") == ""
    assert held("a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT") == "a=1"


def test_secure_cookies_need_a_secure_way() -> None:
    assert held("a=1; Secure", "b=2", url="http://shop.test/") == "b=2"
    assert held("a=1; secure") == "a=1"
    assert held("a=1", url="https://www.shop.test/") == ""


def test_what_a_host_may_have_held_is_bounded() -> None:
    assert len(held(*(f"n{n}=1" for n in range(500))).split("; ")) == 50
    assert len(held(*(f"n{n}={'x' * 3_900}" for n in range(50)))) < 8_100
    assert held("a=" + "x" * 5_000) == ""
