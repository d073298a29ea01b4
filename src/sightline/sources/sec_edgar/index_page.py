"""The page that lists the documents of one filing."""

from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from sightline.sources.charsets import decode
from sightline.sources.markup import html_tree


@dataclass(frozen=True, slots=True)
class FiledDocument:
    """One document of a filing. `type` is the form or the exhibit ("EX-99.1"), upper case."""

    type: str
    url: str


def read_index_page(content: bytes, url: str) -> tuple[FiledDocument, ...]:
    """The documents in their order; data files without a readable text are left out."""
    found = []
    for row in html_tree(decode(content, None)[0]).css("table.tableFile tr"):
        cells = row.css("td")
        link = row.css_first("a[href]")
        if len(cells) < 5 or link is None:
            continue
        address = urljoin(url, link.attributes.get("href") or "")
        # The viewer of inline XBRL is asked for the document as it was filed.
        path = urlsplit(address).query.removeprefix("doc=")
        if "/ix?" in address and path.startswith("/"):
            address = urljoin(url, path)
        if address.lower().endswith((".htm", ".html", ".txt", ".xml")):
            found.append(FiledDocument(cells[3].text(strip=True).upper(), address))
    return tuple(found)
