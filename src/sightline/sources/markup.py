"""HTML as a tree. Each opening tag is checked against all open ones, so depth is bounded."""

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser

DEEPEST: Final = 512
"""Open elements at once, as browsers have it; tags that begin deeper are left out."""

_TAG = re.compile(r"<(\\?/)?([a-zA-Z][a-zA-Z0-9-]*)")
_REST = re.compile(r"[^<>]*>?")
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
    return LexborHTMLParser(_shallow(markup))


def _shallow(markup: str) -> str:
    """The markup without the tags that nest too deep; what stands in them stays."""
    if markup.count("<") <= DEEPEST:
        return markup
    depth = at = kept = 0
    parts: list[str] = []
    while found := _TAG.search(markup, at):
        at = found.end()
        name = found[2].lower()
        if name in _RAW and not found[1]:
            closed = re.compile(f"</{name}", re.IGNORECASE).search(markup, at)
            if closed is None:
                break
            at = closed.end()
        if name in _RAW or name in _NEVER_DEEP:
            continue
        if depth > DEEPEST - (not found[1]):
            parts.append(markup[kept : found.start()])
            rest = _REST.match(markup, at)
            kept = at = rest.end() if rest else at
        depth = max(depth - 1, 0) if found[1] else depth + 1
    return " ".join([*parts, markup[kept:]])
