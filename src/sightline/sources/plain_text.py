"""HTML fragments of feeds and job boards as plain text that reads like the page."""

import html
import re

from selectolax.lexbor import LexborNode

from sightline.sources.markup import html_tree

_BLOCKS = frozenset(
    {
        "address", "article", "aside", "blockquote", "body", "dd", "details", "div", "dl", "dt",
        "figure", "figcaption", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr",
        "li", "main", "nav", "ol", "p", "pre", "section", "summary", "table", "tr", "ul",
    }
)  # fmt: skip
_PARAGRAPHS = frozenset(
    {"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "blockquote", "pre", "section"}
)
_SILENT = frozenset(
    {
        "script",
        "style",
        "noscript",
        "template",
        "iframe",
        "object",
        "svg",
        "head",
        "title",
        "select",
    }
)
_TAG = re.compile(r"</?[a-zA-Z][a-zA-Z0-9:-]{0,20}(?:\s[^<>]{0,2000})?/?>")
_ESCAPED_TAG = re.compile(
    r"&(?:amp;)?lt;/?(?:p|br|div|span|ul|ol|li|strong|em|b|i|a|h[1-6]|table|tr|td|img|font|section)"
    r"(?:\s|/|&(?:amp;)?gt;|>)",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});", re.IGNORECASE)
_SPACES = re.compile("[ \t\r\f\v\u00a0\u2000-\u200a\u202f\u205f\u3000]+")
_INVISIBLE = re.compile("[\u200b-\u200f\u2028-\u202e\u2060\ufeff\x00-\x08\x0e-\x1f]")
_SPREAD_LIST = re.compile(r"^(- .*)\n\n(?=- )", re.MULTILINE)
_MANY_LINES = re.compile(r"\n{3,}")


def plain_text(markup: str | None) -> str:
    """Plain text of HTML, of HTML that was escaped once or twice more, or of text as it is.

    One line a block, a blank line between paragraphs, "- " before list entries; scripts and styles
    are left out. Escaped tags are opened only where the text has no real ones: code stays code.
    """
    if not markup:
        return ""
    for _ in range(3):
        if _TAG.search(markup) or not _ESCAPED_TAG.search(markup):
            break
        markup = html.unescape(markup)
    if not _TAG.search(markup):
        return _tidy(html.unescape(markup) if _ENTITY.search(markup) else markup)
    parts: list[str] = []
    body = html_tree(markup).body
    if body is not None:
        _collect(body, parts)
    return _tidy("".join(parts))


def one_line(text: str | None) -> str:
    """Text of a title or name: entities and tags gone, white space as single spaces."""
    if not text:
        return ""
    if "<" in text or "&" in text:
        text = plain_text(text)
    return " ".join(_INVISIBLE.sub("", text).split())


def _collect(top: LexborNode, parts: list[str]) -> None:
    """Walk without recursion: hostile markup nests thousands of levels deep."""
    work: list[tuple[LexborNode | None, str]] = [(top, "")]
    while work:
        node, closing = work.pop()
        if node is None:
            parts.append(closing)
            continue
        tag = node.tag or ""
        if tag == "-text":
            parts.append(_text_of(node))
            continue
        if tag in _SILENT or tag.startswith(("_", "-", "!")):
            continue
        if tag == "br":
            parts.append("\n")
            continue
        edge = _edge(tag)
        if edge:
            parts.append(edge)
        if tag == "li":
            parts.append("- ")
        work.append((None, "\t" if tag in {"td", "th"} else edge))
        child = node.last_child
        while child is not None:
            work.append((child, ""))
            child = child.prev


def _text_of(node: LexborNode) -> str:
    text = node.text(deep=False) or ""
    parent = node.parent
    return text if parent is not None and parent.tag == "pre" else re.sub(r"\s+", " ", text)


def _edge(tag: str) -> str:
    if tag in _PARAGRAPHS:
        return "\n\n"
    return "\n" if tag in _BLOCKS else ""


def _tidy(text: str) -> str:
    text = _SPACES.sub(" ", _INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))
    lines = [line.strip() for line in text.split("\n")]
    kept: list[str] = []
    for line in lines:
        if kept and kept[-1] == "-" and line:
            kept[-1] = f"- {line}"  # a paragraph inside a list entry
        elif line or not kept or kept[-1] != "-":
            kept.append(line)
    kept = [line for line in kept if line != "-"]
    text = _MANY_LINES.sub("\n\n", "\n".join(kept)).strip()
    return _SPREAD_LIST.sub(r"\1\n", text)
