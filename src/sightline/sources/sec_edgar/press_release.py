"""The headline of a press release: an EX-99 of a current report."""

import re
from typing import Final

from sightline.reading.dates import DAY

# A place, a day and a dash: what the first paragraph begins with.
DATELINE = re.compile(
    r"[A-Z][\w.,'’&/ \u00a0-]{2,80}?\s*(?:[,—–-]+|\(|\.{2,}\(?|…)\s*(?:\([\w ]+\)\s*[–—-]+\s*)?"
    rf"(?i:{DAY})[^\n]{{0,40}}?(?:[–—-]{{1,2}}|/PRNewswire/|\)|:|\.{{3}}|…)",
)
# Lines that stand above a headline: labels, contacts, addresses.
_NO_HEADLINE = re.compile(
    r"^(?:\[|exhibit|ex-?\s?\d|(?:news|press|earnings|financial)\s+(?:news|release)\W*$"
    r"|(?:for\s+)?(?:immediate|more|further|additional)\s|contacts?\b|media\b|investors?\b|page\s+\d"
    r"|document|\(|release\s+date|\+?\d|company\s+contact|source:|corporate\s+communications|nyse"
    r"|nasdaq|tel\b|phone|e-?mail)|@|\s\|\s|\d{3}\)?[\s-]\d{3}|\bP\.?\s?O\.?\s+Box\b"
    r"|\b[A-Z]{2}\s+\d{5}\b|https?://|www\.",
    re.IGNORECASE,
)
_SHORTEST: Final = 20
_LONGEST: Final = 260
_PARAGRAPH: Final = 120  # characters of a line that is no headline's any more
_HEAD: Final = 6_000


def headline_of(text: str) -> str | None:
    """The first line above the dateline with words enough, with the lines that run on below it."""
    head = text[:_HEAD]
    dateline = DATELINE.search(head)
    if dateline is not None:
        head = head[: head.rfind("\n", 0, dateline.start()) + 1]
    else:
        long = (line for line in head.split("\n") if len(line.strip()) >= _PARAGRAPH)
        head = head[: head.find(next(long, ""))] or head
    lines = [line.strip(" |") for line in head.split("\n")]
    first = next((at for at, line in enumerate(lines) if _can_be_headline(line)), None)
    if first is None:
        return None
    parts = [lines[first]]
    for line in lines[first + 1 : first + 3]:
        if not line or _NO_HEADLINE.search(line) or len(line) > _LONGEST:
            break
        parts.append(line)
    return " ".join(parts)


def _can_be_headline(line: str) -> bool:
    fits = _SHORTEST <= len(line) <= _LONGEST and len(line.split()) >= 4
    return fits and not _NO_HEADLINE.search(line)
