"""Sitemaps of every form, whole or broken."""

import gzip

from sightline.sources.website.sitemap import parse_sitemap
from tests.sources.website.answers import body

URL = "https://millworks.example/sitemap.xml"
SET = (
    "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
    "<url><loc>https://millworks.example/about?a=1&amp;b=2</loc><lastmod>2026-01-02</lastmod></url>"
    "<url><loc> /team </loc></url></urlset>"
)
PAGES = ["https://millworks.example/about?a=1&b=2", "https://millworks.example/team"]


def test_pages_with_their_dates() -> None:
    read = parse_sitemap(body(SET, URL))
    assert [entry.url for entry in read.entries] == PAGES
    assert str(read.entries[0].changed_at) == "2026-01-02 00:00:00+00:00"
    assert read.notes == ()


def test_packed_cut_off_and_without_namespace() -> None:
    assert [
        entry.url
        for entry in parse_sitemap(body(gzip.compress(SET.encode(), mtime=0), URL)).entries
    ] == PAGES
    cut = parse_sitemap(body(SET[:-12], URL))
    assert [entry.url for entry in cut.entries] == PAGES
    assert cut.notes
    bare = SET.replace(" xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'", "").replace(
        "&amp;", "&"
    )
    assert [entry.url for entry in parse_sitemap(body(bare, URL)).entries] == PAGES


def test_index_text_and_feed() -> None:
    index = "<sitemapindex><sitemap><loc>https://millworks.example/a.xml.gz</loc></sitemap></sitemapindex>"
    assert parse_sitemap(body(index, URL)).sitemaps == ("https://millworks.example/a.xml.gz",)
    plain = parse_sitemap(body("https://millworks.example/a\nhttps://millworks.example/b\n", URL))
    assert len(plain.entries) == 2
    feed = "<rss><channel><item><link>https://millworks.example/n</link></item></channel></rss>"
    assert parse_sitemap(body(feed, URL)).entries[0].url == "https://millworks.example/n"


def test_other_answers_are_no_sitemaps() -> None:
    for content in ("", "<!doctype html><p>404", "{}", "<urlset></urlset>", b"\x1f\x8bbroken"):
        read = parse_sitemap(body(content, URL))
        assert read.entries == ()
        assert read.notes
