"""Writes the sample archive: `python tests/tools/sample_archive/make.py FOLDER`.

Everything in it is invented. The same input gives the same bytes, and a test compares the bundled
archive with what this makes.
"""

import hashlib
import json
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parent))

import boards
import filers
import logos
import sec
from pages import Site, feed_xml, markup, page_html, read_site, sitemap_xml

_SITES = Path(__file__).parent / "sites"
_ROBOTS = "User-agent: *\nDisallow: /privacy\nSitemap: {}/sitemap.xml\n"
_CLOSED = "User-agent: *\nDisallow: /\n"
_PARKED = """<!doctype html><html><head><title>kestrelbyte-security.example</title></head><body>
<h1>kestrelbyte-security.example</h1><p>This domain is parked free of charge.</p>
<h2>Related searches</h2><ul><li>Secret manager</li><li>Password vault</li></ul></body></html>"""
_WALL = """<!doctype html><html lang="en"><head><title>Just a moment...</title></head><body>
<h1>www.serra-alta.example</h1><p>Verify you are human by completing the action below.</p>
<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script></body></html>"""


@dataclass(frozen=True)
class Row:
    """One answer of the archive."""

    url: str
    body: bytes
    media_type: str
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    at: str = boards.FIRST
    kind: str = "web page"


def answers() -> Iterator[Row]:
    """Every answer, in the order of the index."""
    for path in sorted(_SITES.glob("*.txt")):
        yield from site_answers(read_site(path.read_text(encoding="utf-8")))
    yield from troubled_answers()
    for url, text, at in boards.answers():
        yield Row(url, text.encode(), "application/json", at=at, kind="job board")
    for url, media_type, text in (*sec.answers(), *filers.answers()):
        yield Row(url, text.encode(), media_type, kind="filing")


def site_answers(site: Site) -> Iterator[Row]:
    """The pages of one site, its robots.txt, sitemap and feed, and what its bare domain answers."""
    charset = site.header.get("charset", "utf-8")
    named = dict(line.split(": ", 1) for line in site.header.get("server", "").splitlines())
    host = site.header["host"]
    if host.startswith("www."):
        yield redirect(f"https://{host.removeprefix('www.')}/", f"{site.base}/")
    yield Row(f"{site.base}/robots.txt", _ROBOTS.format(site.base).encode(), "text/plain",
              kind="robots.txt")  # fmt: skip
    for page in site.pages:
        address = site.base + page.path
        if page.path == "/" and "home" in site.header:
            address = site.base + site.header["home"]
            yield redirect(f"{site.base}/", address)
        body = page_html(site, page).encode(charset, "xmlcharrefreplace")
        yield Row(address, body, f"text/html; charset={charset}", headers=named)
    yield Row(
        f"{site.base}/sitemap.xml", sitemap_xml(site).encode(), "application/xml", kind="sitemap"
    )
    if "logo" in site.header:
        yield Row(f"{site.base}/apple-touch-icon.png", logos.png(site.header["logo"]), "image/png",
                  kind="logo")  # fmt: skip
    form, _, path = site.header.get("feed", "").partition(" ")
    if form == "json":
        yield Row(site.base + path, json_feed(site).encode(), "application/feed+json", kind="feed")
    elif form:
        text = feed_xml(site, atom=form == "atom")
        yield Row(site.base + path, text.encode(), f"application/{form}+xml", kind="feed")


def json_feed(site: Site) -> str:
    """The dated pages as a JSON Feed."""
    items = [
        {
            "id": site.base + page.path,
            "url": site.base + page.path,
            "title": page.title,
            "date_published": f"{page.published}T08:00:00Z",
            "content_html": markup([line for line in page.lines if not line.startswith("# ")]),
        }
        for page in sorted(site.pages, key=lambda p: p.about.get("published", ""), reverse=True)
        if page.published
    ]
    feed = {"version": "https://jsonfeed.org/version/1.1", "title": site.header["brand"],
            "home_page_url": f"{site.base}/", "items": items}  # fmt: skip
    return json.dumps(feed, ensure_ascii=False, indent=1)


def troubled_answers() -> Iterator[Row]:
    """Domains that lead elsewhere, or to nothing that can be read."""
    moves = {
        "northquay.example": "https://www.northquay-robotics.example/",
        "sger.example": "https://www.energie-generique.example/",
        "akarifoods.example": "https://www.akari-shokuhin.example/en/",
        "serraaltamining.example": "https://www.serra-alta.example/",
        "icehouse-automation.example": "https://www.northquay-robotics.example/",
    }
    for host, target in moves.items():
        yield redirect(f"https://{host}/", target)
    yield Row("https://kestrelbyte-security.example/", _PARKED.encode(), "text/html")
    yield redirect("https://serra-alta.example/", "https://www.serra-alta.example/")
    yield Row("https://www.serra-alta.example/", _WALL.encode(), "text/html; charset=utf-8", 403,
              {"server": "cloudflare", "cf-mitigated": "challenge"})  # fmt: skip
    yield Row("https://fernhollow-clinics.example/robots.txt", _CLOSED.encode(), "text/plain",
              kind="robots.txt")  # fmt: skip
    yield redirect("https://roundabout.example/", "https://www.roundabout.example/")
    yield redirect("https://www.roundabout.example/", "https://roundabout.example/")


def redirect(url: str, target: str) -> Row:
    """A permanent move."""
    return Row(url, b"", "text/html", 301, {"location": target}, kind="redirect")


def write(folder: Path) -> None:
    """Write index and bodies, in place of what is there."""
    shutil.rmtree(folder / "files", ignore_errors=True)
    lines = []
    for row in answers():
        name = file_name(row)
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(row.body)
        entry = {
            "url": row.url, "method": "GET", "status": row.status,
            "headers": {"content-type": row.media_type} | row.headers, "file": name,
            "encoding": None, "fetched_at": row.at, "recorded": False, "kind": row.kind,
            "bytes": len(row.body), "sha256": hashlib.sha256(row.body).hexdigest(),
            "note": "invented",
        }  # fmt: skip
        lines.append(json.dumps(entry, ensure_ascii=False) + "\n")
    (folder / "index.jsonl").write_text("".join(lines), encoding="utf-8")


def file_name(row: Row) -> str:
    """A readable place below the folder, one for each address and day."""
    parts = urlsplit(row.url)
    path = re.sub(r"[^\w.-]+", "_", f"{parts.path}_{parts.query}".strip("/_")) or "index"
    day = f"@{row.at[:10]}" if row.at != boards.FIRST else ""
    return f"files/{parts.hostname}/{path[:80]}{day}"


if __name__ == "__main__":
    write(Path(sys.argv[1]))
