"""Feeds of every format, and every way in which they are broken."""

import gzip
import json
from datetime import UTC, datetime

import pytest

from sightline.domain.evidence import Body
from sightline.sources.feeds.parse import Feed, parse

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def read(
    content: str | bytes, *, url: str = "https://news.example/feed/", charset: str | None = None
) -> Feed:
    raw = content.encode() if isinstance(content, str) else content
    return parse(Body(url, raw, "", charset, {}, NOW))


def rss(items: str, *, head: str = "<title>Orchard News</title>", version: str = "2.0") -> str:
    return f'<rss version="{version}"><channel>{head}{items}</channel></rss>'


def test_rss_item_has_every_part() -> None:
    feed = read(
        rss(
            "<item><guid isPermaLink='false'>n-1</guid><title>Orchard &amp; Co opens a plant</title>"
            "<link>https://news.example/plant</link><pubDate>Mon, 02 Feb 2026 09:30:00 +0100</pubDate>"
            "<author>pat@news.example (Pat Lee)</author><category>Expansion</category>"
            "<category>Expansion</category><description><![CDATA[<p>A new <b>plant</b>.</p>]]></description>"
            "</item>",
            head="<title>Orchard News</title><link>https://news.example/</link><language>en-us</language>",
        )
    )
    assert (feed.format, feed.title, feed.url, feed.language) == (
        "RSS 2.0", "Orchard News", "https://news.example/", "en",
    )  # fmt: skip
    item = feed.items[0]
    assert item.id == "n-1"
    assert item.url == "https://news.example/plant"
    assert item.title == "Orchard & Co opens a plant"
    assert item.published_at == datetime(2026, 2, 2, 8, 30, tzinfo=UTC)
    assert item.author == "Pat Lee"
    assert item.text == "A new plant."
    assert item.categories == ("Expansion",)
    assert feed.sound
    assert feed.well_formed


def test_atom_takes_the_longest_text_and_the_page_link() -> None:
    feed = read(
        '<feed xmlns="http://www.w3.org/2005/Atom"><title>Lab</title>'
        '<link rel="self" href="https://lab.example/atom"/><link rel="next" href="/atom?page=2"/>'
        '<entry><id>tag:lab.example,2026:1</id><title type="html">A &lt;i&gt;new&lt;/i&gt; lens</title>'
        '<link rel="enclosure" href="https://lab.example/a.mp3"/><link href="/posts/1"/>'
        "<published>2026-01-05T10:00:00Z</published><updated>2026-01-06T10:00:00Z</updated>"
        "<author><name>Kim</name></author><summary>Short.</summary>"
        '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Long text here.</p></div>'
        "</content></entry></feed>",
        url="https://lab.example/atom",
    )
    item = feed.items[0]
    assert feed.format == "Atom 1.0"
    assert feed.next_url == "https://lab.example/atom?page=2"
    assert item.url == "https://lab.example/posts/1"
    assert item.title == "A new lens"
    assert item.text == "Long text here."
    assert (item.published_at, item.updated_at) == (
        datetime(2026, 1, 5, 10, tzinfo=UTC),
        datetime(2026, 1, 6, 10, tzinfo=UTC),
    )


def test_atom_without_published_does_not_guess_it() -> None:
    feed = read(
        '<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id><title>T</title>'
        "<updated>2026-01-06T10:00:00Z</updated></entry></feed>"
    )
    assert feed.items[0].published_at is None
    assert feed.items[0].updated_at == datetime(2026, 1, 6, 10, tzinfo=UTC)


def test_rdf_reads_dublin_core_dates() -> None:
    feed = read(
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>t</title></channel>'
        "<item><title>one</title><link>https://a.example/1</link><dc:date>2026-01-02</dc:date></item>"
        "</rdf:RDF>"
    )
    assert feed.format == "RSS 1.0"
    assert feed.items[0].published_at == datetime(2026, 1, 2, tzinfo=UTC)


def test_json_feed() -> None:
    feed = read(
        json.dumps(
            {
                "version": "https://jsonfeed.org/version/1.1",
                "title": "Mill",
                "home_page_url": "https://mill.example/",
                "items": [
                    {"id": 7, "url": "/posts/7", "content_html": "<p>Seven</p>", "tags": ["a", "a"],
                     "date_published": "2026-02-03T04:05:06Z", "authors": [{"name": "Ro"}]},
                    {"content_text": ""},
                ],
            }
        )
    )  # fmt: skip
    item = feed.items[0]
    assert feed.format == "JSON Feed 1.1"
    assert (item.id, item.url, item.title, item.text, item.author) == (
        "7", "https://mill.example/posts/7", "Seven", "Seven", "Ro",
    )  # fmt: skip
    assert "1 items have neither title, link nor text." in feed.notes


@pytest.mark.parametrize(
    "content",
    [
        "Warning: cannot modify header\n" + rss("<item><title>A &amp; B</title></item>"),
        "\ufeff\n\n" + rss("<item><title>A & B</title></item>"),
        rss("<item><title>A &amp; B</title></item>").replace("</channel></rss>", "<item><ti"),
        '<?xml version="1.0" encoding="utf-99"?>'
        + rss("<item><title>A &amp; B\x0b</title></item>"),
        "<html><body>" + rss("<item><title>A &amp; B</title></item>") + "</body></html>",
        rss("<item><title>A &amp; B</title><x:y>1</x:y></item>"),
    ],
    ids=[
        "leading words",
        "bare ampersand",
        "cut off",
        "unknown charset",
        "in a page",
        "unbound prefix",
    ],
)
def test_broken_feeds_are_read(content: str) -> None:
    assert [item.title for item in read(content).items] == ["A & B"]


@pytest.mark.parametrize(
    ("content", "charset"),
    [
        (rss("<item><title>Café</title></item>").encode("latin-1"), None),
        (rss("<item><title>Café</title></item>").encode("utf-8"), "iso-8859-1"),
        (b"\xff\xfe" + rss("<item><title>Café</title></item>").encode("utf-16-le"), None),
        (gzip.compress(rss("<item><title>Café</title></item>").encode(), mtime=0), None),
        (
            b'<?xml version="1.0" encoding="windows-1252"?>'
            + rss("<item><title>Caf\xe9</title></item>").encode("cp1252"),
            "utf-8",
        ),
    ],
    ids=["undeclared", "wrongly declared", "UTF-16", "gzip", "declared in XML"],
)
def test_charsets_and_compression(content: bytes, charset: str | None) -> None:
    assert read(content, charset=charset).items[0].title == "Café"


def test_text_that_was_escaped_twice_is_opened_and_code_is_not() -> None:
    feed = read(
        rss(
            "<item><title>1</title><description>&amp;lt;p&amp;gt;Fish &amp;amp;amp; chips"
            "&amp;lt;/p&amp;gt;</description></item>"
            "<item><title>2</title><description>&lt;pre&gt;&amp;lt;b&amp;gt;code&lt;/pre&gt;</description>"
            "</item>"
        )
    )
    assert [item.text for item in feed.items] == ["Fish & chips", "<b>code"]


def test_missing_parts_are_told_not_made_up() -> None:
    feed = read(rss("<item><description>Only words, no title.</description></item><item/>"))
    assert [item.title for item in feed.items] == ["Only words, no title."]
    assert feed.items[0].published_at is None
    assert feed.items[0].url == ""
    assert feed.items[0].id
    assert "1 of 1 items have no date that can be read." in feed.notes


@pytest.mark.parametrize(
    "content",
    [b"", b"   ", b"\x00\x01\x02" * 90, b"<html><body>Not found</body></html>", b'{"error": 1}',
     b"<urlset><url><loc>https://x.example</loc></url></urlset>", b"<p>a fragment</p>", b"plain words"],
)  # fmt: skip
def test_what_is_no_feed_has_no_format(content: bytes) -> None:
    feed = read(content)
    assert feed.format is None
    assert feed.items == ()
    assert feed.notes


def test_a_feed_without_items_is_still_a_feed() -> None:
    feed = read(rss(""))
    assert (feed.format, feed.items) == ("RSS 2.0", ())


def test_links_that_only_stand_for_another_are_followed_in_words() -> None:
    feed = read(
        '<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id><title>T</title>'
        '<link href="https://www.google.com/url?rct=j&amp;url=https://press.example/a%3Fb%3D1&amp;ct=ga"/>'
        "</entry></feed>"
    )
    assert feed.items[0].url == "https://press.example/a?b=1"


def test_scripts_are_no_addresses() -> None:
    feed = read(rss("<item><title>T</title><link>javascript:alert(1)</link></item>"))
    assert feed.items[0].url == ""


def test_recorded_feeds(shared) -> None:  # type: ignore[no-untyped-def]
    """Every recorded feed gives items, every fragment none, and faults are those a strict parser names."""
    rows = json.loads((shared / "labelled/feeds/feeds.json").read_text())
    for row in rows:
        feed = read((shared / row["document"]).read_bytes(), url=row["url"] or "")
        assert bool(feed.items) == row["starts_like_a_feed"], row["file"]
        assert feed.well_formed == row["well_formed"], row["file"]


def test_only_the_first_thousand_items_are_parsed() -> None:
    items = "".join(
        f"<item><title>News {index}</title><link>https://news.example/{index}</link>"
        "<pubDate>Mon, 02 Feb 2026 09:30:00 GMT</pubDate></item>"
        for index in range(1200)
    )
    feed = read(rss(items))
    assert len(feed.items) == 1000
    assert feed.items[-1].title == "News 999"
    assert feed.notes == ("Only the first 1000 of 1200 items were read.",)
    assert feed.title == "Orchard News"


def test_an_id_that_is_no_number_is_no_id() -> None:
    feed = read(
        '{"version": "https://jsonfeed.org/version/1.1", "title": "Lab",'
        ' "items": [{"id": NaN, "title": "A lens", "url": "https://lab.example/1"}]}'
    )
    assert feed.items[0].id == "https://lab.example/1"
