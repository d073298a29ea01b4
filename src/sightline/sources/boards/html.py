"""Shared by the parsers of HTML job boards. HTML never proves that it lists every job."""

import re
from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser, LexborNode

from sightline.domain.evidence import Body
from sightline.sources.bodies import Read, read_text
from sightline.sources.markup import html_tree
from sightline.sources.plain_text import one_line

PARTIAL = "The list is a web page, which does not prove that it names every job."
_MAX_PAGE = 20_000_000


def read_page(body: Body) -> tuple[LexborHTMLParser, Read]:
    """The page as a tree, and its text as it was read."""
    read = read_text(body.content, body.charset)
    return html_tree(read.value[:_MAX_PAGE]), read


def absolute(base: str, href: str | None) -> str:
    """An address of a page as an absolute one; "" when it has none or cannot be read."""
    try:
        return urljoin(base, (href or "").strip())
    except ValueError:
        return ""


def words_of(node: LexborNode | None) -> str:
    """The text of a node as one line."""
    return one_line(node.text(separator=" ")) if node is not None else ""


def first(node: LexborNode | LexborHTMLParser, *selectors: str) -> LexborNode | None:
    """The first node that any of the selectors finds, in their order."""
    for selector in selectors:
        found = node.css_first(selector)
        if found is not None:
            return found
    return None


def row_around(anchor: LexborNode) -> LexborNode:
    """The table row, list entry or card that an anchor stands in."""
    node = anchor
    for _ in range(8):
        parent = node.parent
        if parent is None or parent.tag in {"body", "html", "ul", "ol", "table", "tbody", "main"}:
            break
        node = parent
        if node.tag in {"tr", "li", "article"} or re.search(
            r"\b(?:row|card|item|opening|posting|job)\b", node.attributes.get("class") or ""
        ):
            break
    return node
