"""The crawl of a company's own site: whose it is, which pages, and what goes wrong."""

from typing import Any

import pytest

from sightline.sources.contract import RecordIsUnusable, SourceIsAway
from sightline.sources.website.connector import WEBSITE
from sightline.store.company_pages import read_logo
from tests.sources.collecting import Collecting, MadeWeb, page

HOME = "https://tarn.example/"
WORDS = (
    "<p>Tarn Instruments makes level gauges for reservoirs and the telemetry that reads them. </p>"
    * 4
)
MENU = "<a href='/about'>About</a> <a href='/team'>Team</a> <a href='/contact'>Contact</a>"
NAMED = '<meta property="og:site_name" content="Tarn Instruments">'


def home(more: str = "", head: str = NAMED, title: str = "Tarn Instruments") -> str:
    return page(f"<h1>Gauges that keep time</h1>{WORDS}{MENU}{more}", title=title, head=head)


def small_site(web: MadeWeb) -> None:
    web.answer(HOME, home())
    web.answer(
        f"{HOME}about", page(f"<h1>About us</h1>{WORDS}<p>Founded in 1979.</p>", title="About")
    )
    people = "<div><h3>Odile Marchbanks</h3><p>Chief Executive Officer</p></div>"
    people += "<div><h3>Ruben Achterberg</h3><p>Chief Financial Officer</p></div>"
    web.answer(f"{HOME}team", page(f"<h1>Our team</h1>{people}", title="Team"))
    contact = (
        "<h1>Contact</h1><p>Tarn Instruments Ltd, 4 Weir Road, Kendal LA9 5AA, United Kingdom</p>"
    )
    web.answer(f"{HOME}contact", page(contact, title="Contact"))


async def test_the_home_page_names_the_company(tarn: Collecting) -> None:
    tarn.web.answer(HOME, home())
    for _ in range(2):  # the second time the page has not changed
        (found,), _context = await tarn.find(WEBSITE, domain="tarn.example")
        assert (found.name, found.domain, found.source) == (
            "Tarn Instruments",
            "tarn.example",
            "website",
        )
    assert await tarn.documents() == {}, "finding ties nothing to a company"


async def test_without_a_stated_name_the_title_gives_it(tarn: Collecting) -> None:
    tarn.web.answer(
        HOME, home(head="", title="Tarn | Level gauges for water and for everything else")
    )
    (found,), _context = await tarn.find(WEBSITE, domain="tarn.example")
    assert found.name == "Tarn"


async def test_pages_become_documents_with_their_role(tarn: Collecting) -> None:
    small_site(tarn.web)
    context = await tarn.collect(WEBSITE)
    documents = await tarn.documents()
    assert {url: d["sections"] for url, d in documents.items()} == {
        HOME: ["home"],
        f"{HOME}about": ["about"],
        f"{HOME}team": ["team"],
        f"{HOME}contact": ["contact"],
    }
    assert await tarn.facts("website_domain") == ["tarn.example"]
    assert await tarn.facts("ceo") == ["Odile Marchbanks"]
    assert await tarn.facts("founded_year") == [1979]
    assert await tarn.facts("hq_city") == ["Kendal"]
    assert context.counts["values"] > 5


async def test_an_unchanged_site_is_asked_for_and_not_read_again(
    tarn: Collecting, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_site(tarn.web)
    await tarn.collect(WEBSITE)

    def fail(*arguments: Any, **options: Any) -> None:
        raise AssertionError("parsed again")

    monkeypatch.setattr("sightline.sources.website.site_pages.read_page", fail)
    context = await tarn.collect(WEBSITE)
    assert context.counts["unchanged"] == 4
    assert context.counts["fetched"] == 0


async def test_the_sitemap_leads_to_what_the_home_page_does_not(tarn: Collecting) -> None:
    tarn.web.answer(HOME, page(f"<h1>Gauges</h1>{WORDS}", title="Tarn Instruments", head=NAMED))
    index = f"<sitemapindex><sitemap><loc>{HOME}pages.xml</loc></sitemap></sitemapindex>"
    tarn.web.answer(f"{HOME}sitemap.xml", index, media_type="application/xml")
    urls = f"<urlset><url><loc>{HOME}about-us</loc></url><url><loc>https://other.example/team</loc></url></urlset>"
    tarn.web.answer(f"{HOME}pages.xml", urls, media_type="application/xml")
    tarn.web.answer(f"{HOME}about-us", page(f"<h1>About us</h1>{WORDS}", title="About"))
    tarn.web.answer("https://other.example/team", page("<h1>Team</h1>", title="Team"))
    await tarn.collect(WEBSITE)
    assert set(await tarn.documents()) == {HOME, f"{HOME}about-us"}


async def test_at_most_twenty_five_pages_are_read(tarn: Collecting) -> None:
    links = "".join(f"<a href='/products/gauge-{n}'>Gauge {n}</a>" for n in range(60))
    tarn.web.answer(HOME, home(links))
    for n in range(60):
        text = page(f"<h1>Gauge {n}</h1>{WORDS}<p>Model number {n}.</p>", title=f"Gauge {n}")
        tarn.web.answer(f"{HOME}products/gauge-{n}", text)
    await tarn.collect(WEBSITE)
    assert 15 <= len(await tarn.documents()) <= 25


async def test_one_failing_page_is_noted_and_the_rest_is_read(tarn: Collecting) -> None:
    small_site(tarn.web)
    tarn.web.answer(f"{HOME}about", "Busy.", status=500)
    tarn.web.answer(f"{HOME}team", b"%PDF-1.7 \x00\x01", media_type="application/pdf")
    context = await tarn.collect(WEBSITE)
    assert f"{HOME}contact" in await tarn.documents()
    assert any("answered 500" in note for note in context.notes)
    assert await tarn.facts("hq_city") == ["Kendal"]


async def test_pages_that_robots_may_not_read_are_counted(tarn: Collecting) -> None:
    small_site(tarn.web)
    tarn.web.answer(
        f"{HOME}robots.txt", "User-agent: *\nDisallow: /team\n", media_type="text/plain"
    )
    context = await tarn.collect(WEBSITE)
    assert f"{HOME}team" not in await tarn.documents()
    assert "1 pages are closed to robots and were not read." in context.notes


async def test_a_site_that_stops_answering_is_left_alone(tarn: Collecting) -> None:
    small_site(tarn.web)
    for path in ("about", "team", "contact"):
        tarn.web.answer(f"{HOME}{path}", "No.", status=403)
    context = await tarn.collect(WEBSITE)
    assert context.notes[-1].startswith("SourceIsAway: The site stopped answering.")
    assert HOME in await tarn.documents()


async def test_a_new_domain_of_the_same_company_is_followed(tarn: Collecting) -> None:
    tarn.web.redirect(HOME, "https://www.tarn-instruments.example/")
    tarn.web.answer("https://www.tarn-instruments.example/", home())
    tarn.web.answer("https://www.tarn-instruments.example/about", page(f"<h1>About</h1>{WORDS}"))
    context = await tarn.collect(WEBSITE)
    assert await tarn.facts("website_domain") == ["tarn-instruments.example"]
    assert await tarn.facts("alternative_domain") == ["tarn.example"]
    assert "tarn.example leads to tarn-instruments.example." in context.notes
    assert "https://www.tarn-instruments.example/about" in await tarn.documents()


async def test_another_companys_site_says_nothing_of_this_one(tarn: Collecting) -> None:
    tarn.web.redirect(HOME, "https://www.brookwell.example/")
    head = '<meta property="og:site_name" content="Brookwell Group">'
    text = page(f"<h1>Brookwell</h1><p>Brookwell buys makers of gauges. </p>{MENU}", head=head)
    tarn.web.answer("https://www.brookwell.example/", text)
    tarn.web.answer("https://www.brookwell.example/about", page(f"<h1>About</h1>{WORDS}"))
    for _ in range(2):
        context = await tarn.collect(WEBSITE)
        assert any("calls itself Brookwell" in note for note in context.notes)
        assert await tarn.facts("company_name") == []
        assert await tarn.facts("website_domain") == []
        assert set(await tarn.documents()) == {HOME}


async def test_a_page_that_leads_to_a_job_board_names_it(tarn: Collecting) -> None:
    tarn.web.answer(HOME, home("<a href='/careers'>Careers</a>"))
    tarn.web.redirect(f"{HOME}careers", "https://jobs.lever.co/tarn")
    tarn.web.answer("https://jobs.lever.co/tarn", page("<h1>Jobs at Tarn</h1>" + WORDS))
    await tarn.collect(WEBSITE)
    (board,) = await tarn.facts("job_board")
    assert (board["kind"], board["token"]) == ("lever", "tarn")


PARKED = page("<h1>tarn.example</h1><p>This domain is parked.</p>")
WALL = page("<h1>Just a moment...</h1><p>Verify you are human.</p>", title="Just a moment...")
BROKEN = (
    b"<html><title>Tarn Instruments</title><body><h1>Gauges<p><b><div>"
    + b"Level gauges for reservoirs. " * 20
)
LATIN = BROKEN.replace(b"Instruments<", "Meßgeräte<".encode("latin-1"))


@pytest.mark.parametrize(
    ("status", "body", "media_type", "headers", "expected"),
    [
        (200, PARKED, None, {}, RecordIsUnusable("Parked")),
        (200, WALL, None, {}, RecordIsUnusable("Bot wall")),
        (200, "", None, {}, RecordIsUnusable("cannot be used")),
        (200, b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, None, {}, RecordIsUnusable("cannot be used")),
        (200, b"x" * 5_500_000, None, {}, RecordIsUnusable("too large")),
        (401, "Who are you?", None, {}, SourceIsAway("answered 401")),
        (403, "No.", None, {}, SourceIsAway("answered 403")),
        (429, "Slow down.", None, {"retry-after": "900"}, SourceIsAway("answered 429")),
        (503, "Busy.", None, {"retry-after": "900"}, SourceIsAway("answered 503")),
        (418, "Teapot.", None, {}, RecordIsUnusable("answered 418")),
        (301, "", None, {"location": "https://tarn.example/"}, RecordIsUnusable("redirects too often")),
        (301, "", None, {"location": "http://169.254.169.254/"}, RecordIsUnusable("is not allowed")),
        (404, "Nothing.", None, {}, None),
        (410, "Gone.", None, {}, None),
        (200, BROKEN, "application/octet-stream", {}, "Tarn Instruments"),
        (200, LATIN, "text/html; charset=utf-8", {}, "Tarn Meßgeräte"),
    ],
)  # fmt: skip
async def test_bad_answers_end_in_a_clear_word(
    tarn: Collecting,
    status: int,
    body: str | bytes,
    media_type: str | None,
    headers: dict[str, str],
    expected: Exception | str | None,
) -> None:
    tarn.web.answer(HOME, body, status=status, media_type=media_type, **headers)
    if isinstance(expected, Exception):
        with pytest.raises(type(expected), match=str(expected)):
            await tarn.find(WEBSITE, domain="tarn.example")
        context = await tarn.collect(WEBSITE)
        assert str(expected) in context.notes[-1]
        assert context.counts["values"] == 0
        return
    found, context = await tarn.find(WEBSITE, domain="tarn.example")
    if expected is None:
        assert not found
        assert context.notes == [
            "No page answers at tarn.example. Tried: https://tarn.example/, https://www.tarn.example/, "
            "http://tarn.example/, https://tarn.example/en/, https://www.tarn.example/en/, "
            "https://tarn.example/en, https://www.tarn.example/en."
        ]
    else:
        assert [each.name for each in found] == [expected]


async def test_a_site_closed_to_robots_is_not_tried_elsewhere(tarn: Collecting) -> None:
    tarn.web.answer(f"{HOME}robots.txt", "User-agent: *\nDisallow: /\n", media_type="text/plain")
    tarn.web.answer("https://www.tarn.example/", home())
    context = await tarn.collect(WEBSITE)
    assert "robots.txt does not allow" in context.notes[-1]
    assert await tarn.documents() == {}


async def test_a_home_page_on_a_platform_is_nobodys_domain(tarn: Collecting) -> None:
    tarn.web.redirect(HOME, "https://www.facebook.com/tarn")
    tarn.web.answer("https://www.facebook.com/tarn", home())
    found, context = await tarn.find(WEBSITE, domain="tarn.example")
    assert not found
    assert any("a platform of many" in note for note in context.notes)


@pytest.mark.parametrize("home_page", [f"{HOME}en/", "https://www.tarn.example/en"])
async def test_a_site_without_a_page_at_its_root_is_found_by_its_english_part(
    tarn: Collecting, home_page: str
) -> None:
    tarn.web.answer(home_page, home("<a href='/en/gauges'>Gauges</a>"))
    tarn.web.answer(f"{HOME}en/gauges", page(f"<h1>Gauges</h1>{WORDS}"))
    (found,), _context = await tarn.find(WEBSITE, domain="tarn.example")
    assert (found.name, found.domain) == ("Tarn Instruments", "tarn.example")
    await tarn.collect(WEBSITE)
    assert await tarn.facts("website_domain") == ["tarn.example"]


async def test_a_home_page_behind_www_and_a_language_is_the_same_site(tarn: Collecting) -> None:
    tarn.web.redirect(HOME, "https://www.tarn.example/en/")
    tarn.web.answer("https://www.tarn.example/en/", page(f"<h1>Tarn</h1><p>{WORDS}</p>{MENU}"))
    tarn.web.answer("https://www.tarn.example/about", page(f"<h1>About</h1>{WORDS}"))
    await tarn.collect(WEBSITE)
    assert await tarn.facts("website_domain") == ["tarn.example"]
    assert "https://www.tarn.example/about" in await tarn.documents()


PNG = b"\x89PNG\r\n\x1a\n" + b"\x00" * 40
LINKED = NAMED + '<link rel="icon" href="/icon.ico"><link rel="apple-touch-icon" href="/touch.png">'


async def kept_logos(tarn: Collecting) -> list[tuple[str, bytes | None]]:
    async with tarn.database.connection() as connection:
        logo = await read_logo(connection, tarn.company_id)
    documents = await tarn.documents()
    return [(url, logo) for url, row in documents.items() if row["kind"] == "logo"]


async def test_the_first_picture_that_may_be_the_logo_is_kept_as_evidence(tarn: Collecting) -> None:
    tarn.web.answer(HOME, home(head=LINKED))
    tarn.web.answer(f"{HOME}touch.png", PNG, media_type="image/png")
    tarn.web.answer(f"{HOME}icon.ico", b"\x00\x00\x01\x00" + b"\x00" * 40)
    await tarn.collect(WEBSITE)
    assert await kept_logos(tarn) == [(f"{HOME}touch.png", PNG)]
    newer = PNG + b"\x01"
    tarn.web.answer(f"{HOME}touch.png", newer, media_type="image/png")
    await tarn.collect(WEBSITE)
    assert await kept_logos(tarn) == [(f"{HOME}touch.png", newer)]


@pytest.mark.parametrize(
    "body",
    [
        b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
        b"<!doctype html><script>alert(1)</script>" + PNG,
        b"GIF89a/*" + b"\x00" * 40,
        b"%PDF-1.7",
        PNG + b"\x00" * 64_000,
        b"",
    ],
)
async def test_what_is_no_small_picture_is_no_logo(tarn: Collecting, body: bytes) -> None:
    tarn.web.answer(HOME, home(head=LINKED))
    tarn.web.answer(f"{HOME}touch.png", body, media_type="image/png")
    context = await tarn.collect(WEBSITE)
    assert await kept_logos(tarn) == []
    assert not any("logo" in note for note in context.notes)


async def test_a_logo_is_asked_for_as_robots_txt_allows(tarn: Collecting) -> None:
    tarn.web.answer(f"{HOME}robots.txt", "User-agent: *\nDisallow: /touch", media_type="text/plain")
    tarn.web.answer(HOME, home(head=LINKED))
    tarn.web.answer(f"{HOME}touch.png", PNG, media_type="image/png")
    await tarn.collect(WEBSITE)
    assert await kept_logos(tarn) == []
