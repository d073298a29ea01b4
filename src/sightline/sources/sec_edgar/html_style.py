"""What tags and style attributes mean for the text: blocks, emphasis, hidden parts, page breaks."""

import re
from functools import lru_cache
from typing import Final

from sightline.sources.sec_edgar.text import BOLD, CENTER, ITALIC, SUPERSCRIPT, UNDERLINE

BLOCKS: Final = frozenset(
    [
        "p",
        "div",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "dl",
        "dt",
        "dd",
        "center",
        "blockquote",
        "address",
        "body",
        "section",
        "article",
        "header",
        "footer",
        "nav",
        "main",
        "caption",
        "thead",
        "tbody",
        "tfoot",
        "form",
        "fieldset",
        "page",
    ]
)
HIDDEN: Final = frozenset(
    [
        "script",
        "style",
        "title",
        "head",
        "ix:header",
        "ix:hidden",
        "noscript",
        "template",
        "select",
        "textarea",
    ]
)
TAG_STYLE: Final = {
    "b": BOLD,
    "strong": BOLD,
    "i": ITALIC,
    "em": ITALIC,
    "u": UNDERLINE,
    "ins": UNDERLINE,
    "center": CENTER,
    "h1": BOLD,
    "h2": BOLD,
    "h3": BOLD,
    "h4": BOLD,
    "h5": BOLD,
    "h6": BOLD,
    "th": BOLD,
    "sup": SUPERSCRIPT,
}
_DISPLAY_NONE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_DISPLAY_INLINE = re.compile(r"display\s*:\s*inline", re.I)
_PAGE_BREAK = re.compile(
    r"(?:page-)?break-(?P<where>before|after)\s*:\s*(?:always|page|left|right)", re.I
)
_WEIGHT = re.compile(r"font(?:-weight)?\s*:[^;]*?\b(?P<weight>bold|[5-9]00|normal|[1-4]00)\b", re.I)
_SLANT = re.compile(r"font(?:-style)?\s*:[^;]*?\b(?P<slant>italic|oblique|normal)\b", re.I)
_DECORATION = re.compile(r"text-decoration(?:-line)?\s*:[^;]*?\b(?P<line>underline|none)\b", re.I)
_SIZE = re.compile(
    r"font(?:-size)?\s*:[^;]*?(?<![\d.])(?P<size>\d{1,2}(?:\.\d{1,3})?)\s*(?P<unit>pt|px)", re.I
)
_RAISED = re.compile(r"vertical-align\s*:\s*(?:super|top\b)|(?<![\w-])top\s*:\s*-", re.I)
FLAGS: Final = 0xFF  # the bits of a style that are not the font size
_ALIGN = re.compile(r"text-align\s*:\s*(?P<align>\w+)", re.I)


@lru_cache(maxsize=8192)
def style_effect(style: str) -> tuple[int, int, int]:
    """(bits set, bits cleared, other) of a style attribute; other: 1 hidden, 2 inline, 4 page break
    before, 8 page break after. The font size in quarter points stands above the flags."""
    on = off = other = 0
    if found := _WEIGHT.search(style):
        bold = found["weight"].lower() == "bold" or found["weight"][0] in "56789"
        on, off = (on | BOLD, off) if bold else (on, off | BOLD)
    if found := _SLANT.search(style):
        slanted = found["slant"].lower() != "normal"
        on, off = (on | ITALIC, off) if slanted else (on, off)
        if not slanted and "font-style" in style.lower():
            off |= ITALIC
    if found := _DECORATION.search(style):
        on |= UNDERLINE if found["line"].lower() == "underline" else 0
    if found := _ALIGN.search(style):
        centred = found["align"].lower() == "center"
        on, off = (on | CENTER, off) if centred else (on, off | CENTER)
    if found := _SIZE.search(style):
        points = float(found["size"]) * (0.75 if found["unit"].lower() == "px" else 1)
        on |= int(points * 4) * (FLAGS + 1)
        off |= ~FLAGS
    if "top" in style and _RAISED.search(style) and "padding" not in style:
        on |= SUPERSCRIPT
    other |= 1 if _DISPLAY_NONE.search(style) else 0
    other |= 2 if _DISPLAY_INLINE.search(style) else 0
    if found := _PAGE_BREAK.search(style):
        other |= 4 if found["where"].lower() == "before" else 8
    return on, off, other
