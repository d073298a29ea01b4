"""Text that is made to be slow to read: each shape repeats what some reader has to look for the end of."""

from collections.abc import Callable, Iterator

Shape = Callable[[int], str]


def _times(piece: str, *, before: str = "", after: str = "") -> Shape:
    """The piece again and again, up to so many characters."""

    def make(size: int) -> str:
        room = max(size - len(before) - len(after), len(piece))
        return before + piece * (room // len(piece)) + after

    return make


SHAPES: dict[str, Shape] = {
    "open comments": _times("<!--"),
    "open code comments": _times("/*"),
    "open cdata": _times("<![CDATA["),
    "open doctypes": _times("<!DOCTYPE ["),
    "open instructions": _times("<?xml "),
    "open tags": _times("<a "),
    "open scripts": _times("<script>"),
    "tags": _times("<p>x</p>"),
    "deep tags": _times("<div>"),
    "attributes": _times(' a="b"', before="<p", after=">"),
    "bare angles": _times("<"),
    "quotes": _times('"'),
    "escaped quotes": _times('\\"', before='{"a":"'),
    "single quotes": _times("'a "),
    "entities": _times("&amp;"),
    "open entities": _times("&#x"),
    "digits entity": _times("9", before="&#", after=";"),
    "blanks": _times(" ", after="x"),
    "tabs": _times("\t", after="x"),
    "no-break blanks": _times("\u00a0", after="x"),
    "lines": _times("\n", after="x"),
    "crlf": _times("\r\n", after="x"),
    "blank lines": _times(" \n", after="x"),
    "dots": _times("."),
    "spaced dots": _times(". "),
    "dashes": _times("- "),
    "bars": _times("| "),
    "commas": _times(", "),
    "one long word": _times("a"),
    "one long capital": _times("A"),
    "one long number": _times("7"),
    "grouped number": _times("1,000,"),
    "money": _times("$1 "),
    "dates": _times("May 1, 2020 "),
    "capitalized words": _times("Aa "),
    "capitals": _times("AA BB "),
    "initials": _times("J. "),
    "brackets": _times("["),
    "round brackets": _times("("),
    "closed brackets": _times("(a) "),
    "braces": _times("{"),
    "json lists": _times("[", before='{"a":'),
    "json objects": _times('{"a":'),
    "json rows": _times('{"id":1,"title":"x"},', before='{"jobs":[', after='{"id":2}]}'),
    "slashes": _times("/"),
    "backslashes": _times("\\"),
    "addresses": _times("http://a."),
    "mailboxes": _times("a@"),
    "items": _times("Item 1. "),
    "item lines": _times("\nItem 1A. Risk Factors\n"),
    "signatures": _times("/s/ "),
    "signature lines": _times("\nBy: /s/ A B\n"),
    "names and ages": _times("\nJohn Smith 50 Chief Officer\n"),
    "documents": _times("<DOCUMENT>\n<TYPE>10-K\n<TEXT>"),
    "table rows": _times("<tr><td>a</td><td>1</td></tr>", before="<table>"),
    "nested tables": _times("<table><tr><td>"),
    "nested lists": _times("<ul><li>"),
    "facts": _times('<ix:nonNumeric contextRef="c" name="dei:A">'),
    "microdata": _times('<div itemscope itemtype="http://schema.org/Organization">'),
    "feed items": _times("<item><title>a</title>", before="<rss><channel>"),
    "sitemap": _times("<url><loc>http://a.example/</loc></url>", before="<urlset>"),
    "percent escapes": _times("%41"),
    "combining marks": _times("\u0301", before="a"),
    "ampersands": _times("A & "),
    "copyrights": _times("© 2020 A "),
    "phones": _times("+1 (555) "),
    "and": _times("and "),
    "of the": _times("of the "),
}


def wrapped(text: str) -> Iterator[tuple[str, str]]:
    """A shape where documents have it: alone, in a page, in its data, in a feed, in JSON."""
    yield "alone", text
    yield (
        "page",
        f"<!doctype html><html><head><title>A</title></head><body><main>{text}</main></body></html>",
    )
    yield (
        "head",
        f'<html><head><meta name="description" content="{text}"></head><body>a</body></html>',
    )
    yield (
        "data",
        f'<html><head><script type="application/ld+json">{{{text}</script></head><body>a</body></html>',
    )
    yield (
        "filing",
        f"<html><body><p>Item 1. Business</p><p>{text}</p><p>Item 1A. Risk Factors</p></body></html>",
    )
    yield (
        "feed",
        "<rss version='2.0'><channel><title>A</title><item><title>B</title>"
        f"<description>{text}</description></item></channel></rss>",
    )
    escaped = (
        text.replace("\\", "\\\\")
        .replace('"', '\\"')
        .replace("\n", "\\n")
        .replace("\r", "\\r")
        .replace("\t", "\\t")
    )
    row = f'{{"id":"1","title":"{escaped}","name":"{escaped}","url":"https://a.example/1","description":"{escaped}","content":"{escaped}","location":{{"name":"{escaped}"}}}}'
    yield (
        "json",
        f'{{"jobs":[{row}],"data":[{row}],"results":[{row}],"content":[{row}],"name":"A"}}',
    )
