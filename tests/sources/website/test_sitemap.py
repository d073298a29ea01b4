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


def test_pages_but_not_their_pictures() -> None:
    picture = "<image:image><image:loc>https://millworks.example/a.png</image:loc></image:image>"
    read = parse_sitemap(body(SET.replace("<lastmod>", f"{picture}<lastmod>"), URL))
    assert list(read.entries) == PAGES
    assert read.notes == ()


def test_packed_cut_off_and_without_namespace() -> None:
    packed = parse_sitemap(body(gzip.compress(SET.encode(), mtime=0), URL))
    assert list(packed.entries) == PAGES
    cut = parse_sitemap(body(SET[:-12], URL))
    assert list(cut.entries) == PAGES
    assert cut.notes
    bare = SET.replace(" xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'", "").replace(
        "&amp;", "&"
    )
    assert list(parse_sitemap(body(bare, URL)).entries) == PAGES


def test_index_text_and_feed() -> None:
    index = "<sitemapindex><sitemap><loc>https://millworks.example/a.xml.gz</loc></sitemap></sitemapindex>"
    assert parse_sitemap(body(index, URL)).sitemaps == ("https://millworks.example/a.xml.gz",)
    plain = parse_sitemap(body("https://millworks.example/a\nhttps://millworks.example/b\n", URL))
    assert len(plain.entries) == 2
    feed = "<rss><channel><item><link>https://millworks.example/n</link></item></channel></rss>"
    assert parse_sitemap(body(feed, URL)).entries[0] == "https://millworks.example/n"


def test_other_answers_are_no_sitemaps() -> None:
    for content in ("", "<!doctype html><p>404", "{}", "<urlset></urlset>", b"\x1f\x8bbroken"):
        read = parse_sitemap(body(content, URL))
        assert read.entries == ()
        assert read.notes
