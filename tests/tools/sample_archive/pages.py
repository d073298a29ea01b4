"""Site files of the sample archive: a header, then pages in a light markup, made into HTML.

host: www.millworks.example        header, one `name: value` a line
=== /about | About us              a page: address and title
@ published: 2026-03-02            what else is known of it
# Headline                         then headlines, lists, links and paragraphs
"""

import html
import json
import re
from dataclasses import dataclass, field
from datetime import date
from typing import Any

_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)]+)\)")


@dataclass
class Page:
    """One page as its file has it."""

    path: str
    title: str
    about: dict[str, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)

    @property
    def published(self) -> date | None:
        return date.fromisoformat(self.about["published"]) if "published" in self.about else None


@dataclass
class Site:
    """One file: what all its pages share, and the pages."""

    header: dict[str, str]
    pages: list[Page]

    @property
    def base(self) -> str:
        return f"https://{self.header['host']}"


def read_site(text: str) -> Site:
    """Read one site file."""
    head, *rest = re.split(r"^=== ", text, flags=re.MULTILINE)
    header = _fields(head.splitlines())
    pages = []
    for block in rest:
        first, *lines = block.splitlines()
        path, _, title = first.partition(" | ")
        about = _fields([line[2:] for line in lines if line.startswith("@ ")])
        body = [line for line in lines if not line.startswith("@ ")]
        pages.append(Page(path.strip(), title.strip(), about, body))
    return Site(header, pages)


def _fields(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(": ")
        if line and not line.startswith("#"):
            found[name] = f"{found[name]}\n{value}" if name in found else value
    return found


def markup(lines: list[str]) -> str:
    """Headlines, lists and paragraphs as HTML; a line that starts with `<` stays as it is."""
    out: list[str] = []
    items: list[str] = []
    for line in [*lines, ""]:
        if items and not line.startswith("- "):
            out.append("<ul>" + "".join(f"<li>{item}</li>" for item in items) + "</ul>")
            items = []
        if line.startswith("- "):
            items.append(_inline(line[2:]))
        elif line.startswith("#"):
            level = len(line) - len(line.lstrip("#"))
            out.append(f"<h{level}>{_inline(line[level:].strip())}</h{level}>")
        elif line.startswith("<"):
            out.append(line)
        elif line.strip():
            out.append(f"<p>{_inline(line)}</p>")
    return "\n".join(out)


def _inline(text: str) -> str:
    def made(found: re.Match[str]) -> str:
        if found[1]:
            return f'<img src="{found[3]}" alt="{found[2]}">'
        return f'<a href="{found[3]}">{found[2]}</a>'

    return _LINK.sub(made, html.escape(text, quote=False))


def page_html(site: Site, page: Page) -> str:
    """The whole page in its site's frame."""
    header = site.header
    brand = header["brand"]
    title = html.escape(page.title if page.path == "/" else f"{page.title} | {brand}")
    head = [f'<meta charset="{header.get("charset", "utf-8")}">', f"<title>{title}</title>"]
    if page.path == "/" and "description" in header:
        text = html.escape(header["description"])
        head.append(f'<meta name="description" content="{text}">')
        if "og" in header:
            head.append(f'<meta property="og:site_name" content="{html.escape(brand)}">')
            head.append(f'<meta property="og:description" content="{text}">')
    if page.path == "/" and "logo" in header:
        head.append('<link rel="apple-touch-icon" sizes="128x128" href="/apple-touch-icon.png">')
    head += header.get("head", "").splitlines()
    head += [_json_ld(each) for each in _structured(site, page)]
    links = [pair.split("=") for pair in header["nav"].split(", ")]
    menu = "".join(f'<li><a href="{url}">{html.escape(name)}</a></li>' for name, url in links)
    dated = ""
    if page.published:
        dated = f'<p><time datetime="{page.published}">{page.about.get("shown", page.published)}</time></p>'
    main = markup(page.lines).replace("</h1>", f"</h1>{dated}", 1)
    foot = markup(header.get("footer", "").splitlines())
    return (
        f'<!doctype html>\n<html lang="{header["lang"]}">\n<head>\n'
        + "\n".join(head)
        + f'\n</head>\n<body class="{header.get("body", "page")}">\n<header><nav><ul>{menu}</ul></nav>'
        + f"</header>\n<main>\n{main}\n</main>\n<footer>\n{foot}\n</footer>\n</body>\n</html>\n"
    )


def _structured(site: Site, page: Page) -> list[Any]:
    found: list[Any] = []
    if page.path == "/" and "organization" in site.header:
        found.append(json.loads(site.header["organization"]))
    if page.published and "articles" in site.header:
        found.append(
            {
                "@context": "https://schema.org",
                "@type": "NewsArticle",
                "headline": page.title,
                "datePublished": page.about["published"],
                "publisher": {"@type": "Organization", "name": site.header["brand"]},
            }
        )
    if "job" in page.about:
        found.append(_job(site, page))
    return found


def _job(site: Site, page: Page) -> dict[str, Any]:
    """A JobPosting of `@ job: type | city | country | date`, with `@ pay: min-max CUR PERIOD`."""
    kind, city, country, posted = page.about["job"].split(" | ")
    posting: dict[str, Any] = {
        "@context": "https://schema.org/",
        "@type": "JobPosting",
        "title": page.title,
        "identifier": {"@type": "PropertyValue", "value": page.path.rsplit("/", 1)[-1]},
        "datePosted": posted,
        "employmentType": kind,
        "hiringOrganization": {"@type": "Organization", "name": site.header["brand"]},
        "jobLocation": {
            "@type": "Place",
            "address": {
                "@type": "PostalAddress",
                "addressLocality": city,
                "addressCountry": country,
            },
        },
        "description": markup([line for line in page.lines if not line.startswith("# ")]),
    }
    if "pay" in page.about:
        span, currency, period = page.about["pay"].split()
        low, high = span.split("-")
        posting["baseSalary"] = {
            "@type": "MonetaryAmount",
            "currency": currency,
            "value": {
                "@type": "QuantitativeValue",
                "minValue": int(low),
                "maxValue": int(high),
                "unitText": period,
            },
        }
    return posting


def _json_ld(value: Any) -> str:
    return f'<script type="application/ld+json">{json.dumps(value, ensure_ascii=False)}</script>'


def feed_xml(site: Site, *, atom: bool) -> str:
    """The site's dated pages as RSS 2.0 or Atom, newest first, with their first paragraphs."""
    items = sorted((p for p in site.pages if p.published), key=lambda p: p.about["published"])
    rows = []
    for page in reversed(items):
        assert page.published is not None
        url = site.base + page.path
        words = [line for line in page.lines if line and line[0] not in "#<-@"]
        summary = html.escape(" ".join(words[:2]))
        title = html.escape(page.title)
        if atom:
            rows.append(
                f'<entry><id>{url}</id><title>{title}</title><link href="{url}"/>'
                f"<updated>{page.published}T08:00:00Z</updated><summary>{summary}</summary></entry>"
            )
        else:
            day = page.published.strftime("%a, %d %b %Y 08:00:00 GMT")
            rows.append(
                f"<item><title>{title}</title><link>{url}</link><guid>{url}</guid>"
                f"<pubDate>{day}</pubDate><description>{summary}</description></item>"
            )
    name = html.escape(site.header["brand"])
    if atom:
        return (
            '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"'
            f' xml:lang="{site.header["lang"]}"><title>{name}</title><id>{site.base}/</id>'
            f"<updated>{items[-1].published}T08:00:00Z</updated>" + "\n".join(rows) + "</feed>\n"
        )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>{name}</title>'
        f"<link>{site.base}/</link><language>{site.header['lang']}</language>"
        + "\n".join(rows)
        + "</channel></rss>\n"
    )


def sitemap_xml(site: Site) -> str:
    """All pages of the site."""
    urls = "".join(f"<url><loc>{site.base}{page.path}</loc></url>" for page in site.pages)
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{space}">{urls}</urlset>\n'
