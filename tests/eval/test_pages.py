"""Floors of page reading on recorded pages: text, dates, structured data, time. They only rise."""

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sightline.domain.evidence import Body
from sightline.sources.website.opening import open_page
from sightline.sources.website.page import parse_page
from sightline.sources.website.sitemap import parse_sitemap
from sightline.sources.website.structured import microdata, read_structured
from sightline.sources.website.walk import take_apart
from tests.growth import TIMES, grows_linearly

TEXT_F1 = 0.97
DATES = 0.98
STRUCTURED = 0.86
NOW = datetime(2026, 6, 1, tzinfo=UTC)


def answer(content: bytes, url: str) -> Body:
    return Body(url, content, "text/html", None, {}, NOW)


def pages(shared: Path) -> list[tuple[dict[str, Any], bytes]]:
    rows = json.loads((shared / "labelled/pages/expected.json").read_text())
    read = []
    for row in rows:
        content = (shared / row["document"]).read_bytes()
        read.append((row, gzip.decompress(content) if row["document"].endswith(".gz") else content))
    return read


def flat(text: str) -> str:
    return " ".join(text.split())


def test_text_and_dates(shared: Path) -> None:
    hits = misses = extras = dated = right = 0
    for row, content in pages(shared):
        parsed = parse_page(answer(content, row["url"] or "https://unknown.example/"))
        text = flat(parsed.text)
        wanted = [flat(each) in text for each in row["must_contain"] or []]
        hits += sum(wanted)
        misses += len(wanted) - sum(wanted)
        extras += sum(flat(each) in text for each in row["must_not_contain"] or [])
        if row["date"]:
            dated += 1
            right += bool(
                parsed.published_at and parsed.published_at.date().isoformat() == row["date"]
            )
        for each in parsed.observations:
            assert each.quote or each.pointer
            assert each.quote is None or flat(each.quote) in text
    f1 = 2 * hits / (2 * hits + misses + extras)
    print(f"text F1 {f1:.4f}; dates {right}/{dated}")
    assert f1 >= TEXT_F1
    assert right / dated >= DATES


def plain(value: Any) -> Any:
    """A form in which lists of one and single values, and white space, do not differ."""
    if isinstance(value, dict):
        shaped = {
            key: plain(inner)
            for key, inner in value.items()
            if key not in {"htmlNode", "textContent"}
        }
        return {key: inner for key, inner in shaped.items() if inner not in ({}, [], "")}
    if isinstance(value, list | tuple):
        items = [plain(inner) for inner in value]
        return items[0] if len(items) == 1 else items
    return flat(value) if isinstance(value, str) else value


def test_structured_data(shared: Path) -> None:
    equal = asked = 0
    for page in sorted((shared / "labelled/extruct").rglob("*.html")):
        body = answer(page.read_bytes(), "http://www.example.com/index.html")
        opened = open_page(body)
        found = read_structured(take_apart(body, opened))
        for kind, expected in expectations(page):
            asked += 1
            given: list[Any] = {
                "json-ld": [found.json_ld],
                # Some of the expected values are relative to no base address.
                "microdata": [found.microdata, microdata(opened.tree, "")],
                "opengraph": [found.opengraph],
            }[kind]
            equal += any(plain(each) == plain(expected) for each in given)
    print(f"structured data: {equal}/{asked} equal")
    assert equal / asked >= STRUCTURED


def expectations(page: Path) -> list[tuple[str, Any]]:
    """What is expected of one page, by kind; RDFa and microformats are not read."""
    wanted: list[tuple[str, Any]] = []
    for suffix in (".json", ".jsonld"):
        file = page.with_suffix(suffix)
        if (
            not file.exists()
            or "rdfa" in str(file)
            or (page.parent.name == "misc" and suffix == ".json")
        ):
            continue
        expected = json.loads(file.read_text())
        if suffix == ".jsonld":
            wanted.append(("json-ld", expected))
        elif isinstance(expected, dict):
            wanted += [
                (kind, expected[kind]) for kind in ("microdata", "json-ld") if kind in expected
            ]
            for row in expected.get("opengraph", []):
                wanted.append(("opengraph", row["properties"]))
        else:
            wanted.append(("microdata", expected))
    return wanted


def test_recorded_sitemaps(shared: Path) -> None:
    for name in (
        "sitemap.xml",
        "sitemap.xml.gz",
        "sitemap2.xml",
        "sitemap-hreflang.xml",
        "feed2.rss",
        "feed1.atom",
    ):
        content = (shared / "labelled/sitemaps" / name).read_bytes()
        read = parse_sitemap(answer(content, "https://www.sitemap.example/"))
        assert read.entries or read.sitemaps, name


@pytest.mark.parametrize(
    "piece",
    [
        "<div><p>Some words of text about mills, 12345 Berlin.</p><a href='/products/x'>X</a></div>",
        "<div class='a b'>" * 10,
        "<p>" + "a" * 5000 + "@" + "1" * 5000 + "</p>",
        "<p>© 2024 " + "Foo, " * 400 + "</p>",
        "<img alt='Acme'><h3>Ada Stone</h3><p>CEO</p>",
    ],
)
def test_five_megabytes_end_in_time_that_grows_with_them(piece: str) -> None:
    def page(size: int) -> Body:
        content = f"<html><body><h1>Team</h1>{piece * (size // len(piece))}</body></html>"
        return answer(content.encode(), "https://millworks.example/team")

    assert grows_linearly(parse_page, page, size=5_000_000 // TIMES)
