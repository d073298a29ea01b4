"""Plain-text filings (the 1990s) as lines: paragraphs unwrapped, table columns separated."""

import re
from html import unescape
from typing import Final

from sightline.sources.sec_edgar.table_rows import row_lines
from sightline.sources.sec_edgar.text import CENTER, UNDERLINE, Line

_TAG = re.compile(
    r"</?(?:html|head|body|div|pre|p|br|b|i|u|font|text|title|f\d+|fn|s|c|caption|table|page|hr|"
    r"multiplier|legend|name|cik|document|type|sequence|filename|description)\b[^<>\n]{0,200}>",
    re.I,
)
_TABLE = re.compile(r"<(?P<close>/?)table\b", re.I)
_PAGE = re.compile(r"<page>|\f", re.I)
_PAGE_MARK = re.compile(r"^\s*[-–]\s?\d{1,3}\s?[-–]$")  # where the page marks were lost
_RULE = re.compile(r"^[\s\-–—=_*.~]+$")
_ESCAPED_RULE = re.compile(r"^- (?=-)", re.M)  # dashes escaped by privacy-enhanced mail
_GAP = re.compile(r"\s{3,}|\s*(?:\.\s?){4,}\s*|\s{2,}(?=[$(]?\d)|\t+")
_COLUMNS = re.compile(r"\s{2,}|(?:\s*\.){4,}\s*")
_ITEM = re.compile(
    r"^\s*(?:part\s+[IV]+[\s.,:–—-]*)?items?\s*\.?\s*\d{1,2}\s*\.?\s*(?:\(?[A-C]\)?)?\s*(?:[.:–—-]|\s{2,}|$)"
    r"|^\s*part\s+[IV]{1,3}\b.{0,40}$",
    re.I,
)
_ENTRY = re.compile(r"^\s*(?:[•*o-]|\(\w{1,4}\)|\d{1,2}[.)])\s")
_SHORT: Final = 0.62  # a line this much shorter than its paragraph's longest may end it
_FULL: Final = 0.75
_PROSE: Final = 45  # characters
_CENTRED: Final = 12  # columns of space before a centred line


def text_lines(content: str) -> list[Line]:
    """The lines of a plain text document, page breaks among them as empty lines."""
    content = _ESCAPED_RULE.sub("", content.replace("\r\n", "\n").replace("\r", "\n"))
    lines: list[Line] = []
    block: list[str] = []
    in_table = False
    for raw in content.split("\n"):
        if "<" in raw or "\f" in raw:
            if _PAGE.search(raw):
                _close(lines, block, in_table=in_table)
                lines.append(Line(""))
                raw = _PAGE.sub("", raw)
            if found := _TABLE.search(raw):
                _close(lines, block, in_table=in_table)
                in_table = not found["close"]
            bare = _TAG.sub("", raw)
            if not bare.strip() and raw.strip():
                continue
            raw = bare
        raw = raw.expandtabs(8).rstrip()
        if _PAGE_MARK.match(raw):
            _close(lines, block, in_table=in_table)
            lines += [Line(raw.strip()), Line("")]
        elif raw:
            block.append(raw)
        else:
            _close(lines, block, in_table=in_table)
    _close(lines, block, in_table=in_table)
    return lines


def _close(lines: list[Line], block: list[str], *, in_table: bool) -> None:
    """Add the lines of a block, which is what stands between two empty lines."""
    ruled = [index for index, raw in enumerate(block) if _RULE.match(raw)]
    kept = [(raw, index + 1 in ruled) for index, raw in enumerate(block) if index not in ruled]
    block.clear()
    if not kept:
        return
    columns = sum(bool(_GAP.search(raw.strip())) for raw, _ in kept)
    if columns * 2 > len(kept) or (in_table and columns * 4 >= len(kept)):
        lines += [line for raw, _ in kept for line in _table_row(raw)]
    else:
        lines += map(_line, _paragraphs(kept))


def _table_row(raw: str) -> list[Line]:
    cells = filter(None, _COLUMNS.split(unescape(raw.strip())))
    return row_lines([[Line(" ".join(cell.split()))] for cell in cells])


def _paragraphs(block: list[tuple[str, bool]]) -> list[list[tuple[str, bool]]]:
    """Cut a block where a line is indented, an entry or an item begins, or a heading ends."""
    indents = [_indent(raw) for raw, _ in block]
    base = min(indents)
    longest = max(len(raw) for raw, _ in block)
    out: list[list[tuple[str, bool]]] = []
    for place, (raw, ruled) in enumerate(block):
        if place and not _begins(block, place, indents=indents, base=base, longest=longest):
            out[-1].append((raw, ruled))
        else:
            out.append([(raw, ruled)])
    return out


def _begins(
    block: list[tuple[str, bool]], place: int, *, indents: list[int], base: int, longest: int
) -> bool:
    raw, _ = block[place]
    before, ruled = block[place - 1]
    indent, indent_before = indents[place], indents[place - 1]
    if ruled or (_ITEM.match(raw) and not _runs_on(before, longest)):
        return True
    if min(indent, indent_before) >= _CENTRED:
        # Two centred lines are one heading when the first runs on.
        return not (before.strip()[-1:] in ",-–&" or before.split()[-1].casefold() in _RUN_ON)
    if _ENTRY.match(raw) or _changes_case(before, raw):
        return True
    if _ITEM.match(before):  # the title's second line is set under its first
        return not (raw.isupper() or indent > indent_before)
    if _ends_short(before, longest):
        return True
    return indent_before == base <= indent - 2 and not _ENTRY.match(before)


def _ends_short(line: str, longest: int) -> bool:
    return len(line) < longest * _SHORT and line.rstrip()[-1:] in ".:;!?"


def _changes_case(before: str, raw: str) -> bool:
    """Whether capitals end or begin with this line, as a heading does."""
    if before.isupper() == raw.isupper():
        return False
    return len(before.strip()) > 3 if before.isupper() else len(raw.strip()) > 9


def _runs_on(line: str, longest: int) -> bool:
    """Whether a line is running text that the next one goes on with ("as described in")."""
    end = line.rstrip()[-1:]
    full = len(line) > longest * _FULL and len(line) > _PROSE
    return full and not line.isupper() and end not in ".:;!?" and not _ITEM.match(line)


_RUN_ON: Final = frozenset("of and the in on for to a or with by from".split())


def _line(paragraph: list[tuple[str, bool]]) -> Line:
    text = ""
    for raw, _ in paragraph:
        words = " ".join(raw.split())
        glue = "" if text.endswith("-") and not text.endswith(" -") else " "
        text = text + glue + words if text else words
    text = unescape(text)
    centred = len(text) < 120 and all(_indent(raw) >= _CENTRED for raw, _ in paragraph)
    style = (CENTER if centred else 0) | (UNDERLINE if paragraph[-1][1] and len(text) < 160 else 0)
    underlined = style & UNDERLINE
    return Line(text, style, len(text) if underlined else 0, underlined)


def _indent(raw: str) -> int:
    return len(raw) - len(raw.lstrip())
