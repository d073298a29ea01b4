"""HTML as a tree. Each opening tag is checked against all that are open, so depth is bounded."""

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser

DEEPEST: Final = 512
"""Open elements at once, as browsers have it; what begins deeper is left out with all that follows."""

_TAG = re.compile(r"<(\\?/)?([a-zA-Z][a-zA-Z0-9-]*)")
_RAW = frozenset({"script", "style", "textarea", "title", "xmp"})
# Never open, or closed by the next of their kind.
_NEVER_DEEP = frozenset(
    {
        "area", "base", "body", "br", "col", "colgroup", "dd", "dt", "embed", "head", "hr", "html",
        "img", "input", "li", "link", "meta", "option", "p", "source",
        "tbody", "td", "tfoot", "th", "thead", "tr", "track", "wbr",
    }
)  # fmt: skip


def html_tree(markup: str) -> LexborHTMLParser:
    """The page or fragment as a tree; takes time in proportion to its length."""
    return LexborHTMLParser(markup[: _end(markup)])


def _end(markup: str) -> int:
    """Where the markup first nests too deep, else its length. Closing tags that are missing or too many
    are counted as a browser would see them at worst."""
    if markup.count("<") <= DEEPEST:
        return len(markup)
    depth = at = 0
    while found := _TAG.search(markup, at):
        at = found.end()
        name = found[2].lower()
        if name in _NEVER_DEEP:
            continue
        if found[1]:
            depth = max(depth - 1, 0)
            continue
        if name in _RAW:
            closed = re.compile(f"</{name}", re.IGNORECASE).search(markup, at)
            if closed is None:
                break
            at = closed.end()
            continue
        depth += 1
        if depth > DEEPEST:
            return found.start()
    return len(markup)
