"""Feeds, newsrooms and the articles they lead to."""

from datetime import date
from typing import Any

import pytest

from sightline.sources.feeds.connector import FEEDS
from sightline.sources.website.connector import WEBSITE
from tests.sources.collecting import Collecting, page

HOME = "https://tarn.example/"
FEED = f"{HOME}news/feed.xml"
WORDS = (
    "<p>Tarn Instruments makes level gauges for reservoirs and the telemetry that reads them. </p>"
    * 4
)


def item(slug: str, title: str, day: str, host: str = "tarn.example") -> str:
    return (
        f"<item><title>{title}</title><link>https://{host}/news/{slug}</link>"
        f"<pubDate>{day} 08:00:00 GMT</pubDate><description>{title}, says the company.</description></item>"
    )


def feed(*items: str) -> str:
    return f'<rss version="2.0"><channel><title>Tarn news</title>{"".join(items)}</channel></rss>'


def article(title: str) -> str:
    return page(
        f"<h1>{title}</h1><p>Kendal. {title}, the company said today.</p>{WORDS}", title=title
    )


def announced(tarn: Collecting) -> None:
    head = f'<link rel="alternate" type="application/rss+xml" href="{FEED}">'
    tarn.web.answer(
        HOME, page(f"<h1>Tarn Instruments</h1>{WORDS}", title="Tarn Instruments", head=head)
    )


async def test_items_are_passages_and_articles_documents(tarn: Collecting) -> None:
    announced(tarn)
    await tarn.collect(WEBSITE)
    items = (
        item("old", "An old story", "Mon, 03 Jun 2024"),
        item("order", "Tarn wins an order from Ullswater", "Tue, 07 Jul 2026"),
        item("chief", "Tarn appoints a chief engineer", "Wed, 01 Apr 2026"),
        item("press", "A newspaper writes about Tarn", "Thu, 02 Apr 2026", host="paper.example"),
    )
    tarn.web.answer(FEED, feed(*items), media_type="application/rss+xml")
    for slug, title in (
        ("order", "Tarn wins an order"),
        ("chief", "Tarn appoints"),
        ("old", "Old"),
    ):
        tarn.web.answer(f"{HOME}news/{slug}", article(title))
    tarn.web.answer("https://paper.example/news/press", article("A newspaper"))
    await tarn.collect(FEEDS)
    documents = await tarn.documents()
    assert documents[FEED]["headings"][0] == "Tarn wins an order from Ullswater", "newest first"
    assert documents[FEED]["sections"] == ["news"] * 4
    assert "2026-07-07" in documents[FEED]["body_text"]
    articles = {url: d for url, d in documents.items() if d["kind"] == "news"}
    assert set(articles) == {f"{HOME}news/order", f"{HOME}news/chief"}
    order = articles[f"{HOME}news/order"]
    assert order["published_at"].date() == date(2026, 7, 7), "the feed dates what the page does not"
    assert order["sections"] == ["news"]
    assert await tarn.facts("feed_url") == [FEED]


async def test_an_unchanged_feed_is_not_read_again(
    tarn: Collecting, monkeypatch: pytest.MonkeyPatch
) -> None:
    announced(tarn)
    await tarn.collect(WEBSITE)
    tarn.web.answer(FEED, feed(item("order", "Tarn wins an order", "Tue, 07 Jul 2026")))
    tarn.web.answer(f"{HOME}news/order", article("Tarn wins an order"))
    await tarn.collect(FEEDS)

    def fail(*arguments: Any, **options: Any) -> None:
        raise AssertionError("parsed again")

    monkeypatch.setattr("sightline.sources.feeds.reading.parse", fail)
    monkeypatch.setattr("sightline.sources.website.site_pages.read_page", fail)
    context = await tarn.collect(FEEDS)
    assert (context.counts["fetched"], context.counts["failed"]) == (0, 0)


async def test_a_feed_in_a_common_place_is_found(tarn: Collecting) -> None:
    tarn.web.answer(HOME, page(f"<h1>Tarn Instruments</h1>{WORDS}", title="Tarn Instruments"))
    tarn.web.answer(f"{HOME}feed/", feed(item("order", "Tarn wins an order", "Tue, 07 Jul 2026")))
    await tarn.collect(FEEDS)
    assert await tarn.facts("feed_url") == [f"{HOME}feed/"]


async def test_a_broken_feed_gives_what_can_be_read(tarn: Collecting) -> None:
    announced(tarn)
    await tarn.collect(WEBSITE)
    whole = feed(
        item("a", "Gauges & more", "Tue, 07 Jul 2026"), item("b", "Second", "Wed, 01 Jul 2026")
    )
    tarn.web.answer(FEED, whole[: whole.index("</channel>")], media_type="text/html")
    await tarn.collect(FEEDS)
    assert (await tarn.documents())[FEED]["headings"] == ["Gauges & more", "Second"]


async def test_what_is_no_feed_is_said_to_be_none(tarn: Collecting) -> None:
    announced(tarn)
    await tarn.collect(WEBSITE)
    tarn.web.answer(FEED, page("<h1>Not here</h1>"))
    context = await tarn.collect(FEEDS)
    assert any("is no feed" in note for note in context.notes)
    assert FEED not in await tarn.documents()


async def test_without_a_feed_the_newsroom_leads_to_articles(tarn: Collecting) -> None:
    menu = "<a href='/press'>Press releases</a>"
    tarn.web.answer(HOME, page(f"<h1>Tarn</h1>{WORDS}{menu}", title="Tarn Instruments"))
    links = "<a href='/press/order'>Order</a><a href='/press/undated'>Undated</a>"
    tarn.web.answer(f"{HOME}press", page(f"<h1>Press releases</h1>{links}", title="Press"))
    dated = '<meta property="article:published_time" content="2026-07-07T08:00:00Z">'
    tarn.web.answer(f"{HOME}press/order", page(f"<h1>Order</h1>{WORDS}", title="Order", head=dated))
    tarn.web.answer(f"{HOME}press/undated", page(f"<h1>Undated</h1>{WORDS}", title="Undated"))
    context = await tarn.collect(FEEDS)
    news = [url for url, d in (await tarn.documents()).items() if d["kind"] == "news"]
    assert news == [f"{HOME}press/order"]
    assert any("undated has no date" in note for note in context.notes)


async def test_a_failing_article_does_not_stop_the_others(tarn: Collecting) -> None:
    announced(tarn)
    await tarn.collect(WEBSITE)
    titles = (("one", "One", "Tue, 07 Jul 2026"), ("two", "Two", "Mon, 06 Jul 2026"))
    tarn.web.answer(FEED, feed(*(item(*each) for each in titles)))
    tarn.web.answer(f"{HOME}news/one", "Gone.", status=410)
    tarn.web.answer(f"{HOME}news/two", article("Two"))
    await tarn.collect(FEEDS)
    assert f"{HOME}news/two" in await tarn.documents()
