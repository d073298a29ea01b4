"""Current reports (8-K): which items, what each says, and what a press release announces."""

import re
from dataclasses import dataclass
from datetime import date

from sightline.reading.dates import DAY, days_in, first_day

ITEM_TITLES: dict[str, str] = {
    "1.01": "Entry into a Material Definitive Agreement",
    "1.02": "Termination of a Material Definitive Agreement",
    "1.03": "Bankruptcy or Receivership",
    "1.04": "Mine Safety - Reporting of Shutdowns and Patterns of Violations",
    "1.05": "Material Cybersecurity Incidents",
    "2.01": "Completion of Acquisition or Disposition of Assets",
    "2.02": "Results of Operations and Financial Condition",
    "2.03": "Creation of a Direct Financial Obligation",
    "2.04": "Triggering Events That Accelerate or Increase a Direct Financial Obligation",
    "2.05": "Costs Associated with Exit or Disposal Activities",
    "2.06": "Material Impairments",
    "3.01": "Notice of Delisting or Failure to Satisfy a Continued Listing Rule",
    "3.02": "Unregistered Sales of Equity Securities",
    "3.03": "Material Modification to Rights of Security Holders",
    "4.01": "Changes in Registrant's Certifying Accountant",
    "4.02": "Non-Reliance on Previously Issued Financial Statements",
    "5.01": "Changes in Control of Registrant",
    "5.02": "Departure or Election of Directors or Officers",
    "5.03": "Amendments to Articles of Incorporation or Bylaws; Change in Fiscal Year",
    "5.04": "Temporary Suspension of Trading Under Employee Benefit Plans",
    "5.05": "Amendments to the Code of Ethics",
    "5.06": "Change in Shell Company Status",
    "5.07": "Submission of Matters to a Vote of Security Holders",
    "5.08": "Shareholder Director Nominations",
    "6.01": "ABS Informational and Computational Material",
    "6.02": "Change of Servicer or Trustee",
    "6.03": "Change in Credit Enhancement",
    "6.04": "Failure to Make a Required Distribution",
    "6.05": "Securities Act Updating Disclosure",
    "6.06": "Static Pool",
    "7.01": "Regulation FD Disclosure",
    "8.01": "Other Events",
    "9.01": "Financial Statements and Exhibits",
}
# Before August 2004 items had one number.
OLD_ITEM_TITLES: dict[str, str] = {
    "1": "Changes in Control of Registrant",
    "2": "Acquisition or Disposition of Assets",
    "3": "Bankruptcy or Receivership",
    "4": "Changes in Registrant's Certifying Accountant",
    "5": "Other Events",
    "6": "Resignations of Registrant's Directors",
    "7": "Financial Statements and Exhibits",
    "8": "Change in Fiscal Year",
    "9": "Regulation FD Disclosure",
    "10": "Amendments to the Code of Ethics",
    "11": "Temporary Suspension of Trading Under Employee Benefit Plans",
    "12": "Results of Operations and Financial Condition",
}
_ITEM = re.compile(
    # A row of bars and boxes is entered at its first bar only: one entry a bar would take the square.
    r"(?:^|\n|(?<![ \t|•☒☐x])[ \t•☒☐x]*+\||(?<=[.;:])\s)[ \t|•☒☐x]*+"
    r"(?:Section\s+\d\W+[^\n]{0,80}?)?"
    r"(?P<item>items?)[ \t\u00a0]*(?P<number>\d{1,2}(?:[ \t]*\.[ \t]*\d{2})?)(?![\d%])"
    r"(?P<mark>[ \t]*(?:\([a-z]\)[, ]*)*[.:|–—-]*)",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"(?:\b(?:in|under|of|to|by|see|with|this|and|pursuant to|per|such|at|required by"
    r"|reference)\s*(?:this\s+)?"
    r"(?:current\s+report\s+)?|[“\"(,])$",
    re.IGNORECASE,
)
_SIGNATURE = re.compile(
    r"(?:\A|(?<=\w)[^\w\n]*+\n)(?P<at>)\W*+"
    r"(?:SIGNATURES?[^\w\n]*+$|Pursuant\s+to\s+the\s+requirements\s+of\s+the\s+Securities)",
    re.IGNORECASE | re.MULTILINE,
)
# Both begin where a run of signs begins: once a run, however many lines it has.
_NEW_ITEM = re.compile(r"(?:\A|(?<=\w)[^\w\n|]*+[\n|])\W*+items?\s*+\d\.\d{2}", re.IGNORECASE)
_EVENT_DATE = re.compile(r"date\s+of\s+(?:the\s+)?(?:earliest\s+event|report)", re.IGNORECASE)
_EXACT_NAME = re.compile(r"exact\s+name\s+of", re.IGNORECASE)
_DATELINE = re.compile(
    r"(?P<place>[A-Z][\w.,'’&/ \u00a0-]{2,80}?)\s*(?:[,—–-]+|\(|\.{2,}\(?|…)\s*"
    r"(?:\((?:[\w ]+)\)\s*[–—-]+\s*)?"
    rf"(?P<date>(?i:{DAY}))"
    r"[^\n]{0,40}?(?:[–—-]{1,2}|/PRNewswire/|\)|:|\.{3}|…)",
)
_WIRE = re.compile(
    r"(?P<place>[A-Z][\w.,'’ ]{2,50}?)\s*[-–—(]{1,3}\s*\(?(?:BUSINESS\s?WIRE|PR\s?NEWSWIRE"
    r"|GLOBE\s?NEWSWIRE|ACCESSWIRE)",
    re.IGNORECASE,
)
_NO_HEADLINE = re.compile(
    r"^(?:\[|exhibit|ex-?\s?\d|news\s+release|press\s+release|for\s+immediate\s+release|contacts?\b"
    r"|media\b|investors?\b"
    r"|page\s+\d|document|www\.|http|\(|news$|for\s+(?:more|further|release|additional)"
    r"|release\s+date|\+?\d|financial\s+(?:news|release)"
    r"|company\s+contact|source:|corporate\s+communications|nyse|nasdaq|immediate\s+release"
    r"|earnings\s+release$|tel\b|phone|e-?mail)",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"\(\d{3}\)\s?\d{3}|\d{3}-\d{3}-\d{4}|\bP\.?\s?O\.?\s+Box\b|\b[A-Z]{2}\s+\d{5}(?:-\d{4})?\b"
    r"|https?://|www\."
)
_NEWS_VERB = re.compile(
    r"\b(?:announce|report|declare|name|appoint|complete|acquire|enter|launch|provide|release|sign"
    r"|sell|close"
    r"|elect|expand|receive|agree|appoints|promote|present|price|raise|post|update|reaffirm"
    r"|introduce|win|set"
    r"|approve|begin|plan|settle|hire|join|open|form|initiate|select|award|file|resume|issue|unveil"
    r"|partner|merge|spin|authorize|increase|extend|amend|commence|reach|welcome|grow|outline|schedule"
    r"|achieve|deliver|record|result|to\s+\w+)(?:s|es|ed|d|ing)?\b",
    re.IGNORECASE,
)
_LONGEST_HEADLINE = 260
_HEAD = 6000
_COVER = 12_000
_NEAR = 1000  # characters of a line on either side of an item's name that say what it is


@dataclass(frozen=True, slots=True)
class EightKItem:
    """One item: its number, official title, and the characters `start` up to `end` of the text that
    it takes, heading included."""

    number: str
    title: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PressRelease:
    """What a release begins with. All but `headline` are verbatim; `first_paragraph` starts with the
    dateline where there is one."""

    headline: str | None
    place: str | None
    day: date | None
    first_paragraph: str | None


def read_items(text: str) -> tuple[EightKItem, ...]:
    """The items of a current report in their order, each once; mentions of items are passed over."""
    found: list[tuple[str, int]] = []
    old = _is_old(text)
    for match in _ITEM.finditer(text):
        number = re.sub(r"\s", "", match["number"])
        known = OLD_ITEM_TITLES if old and "." not in number else ITEM_TITLES
        start = match.start("item")
        if number not in known or any(number == name for name, _ in found):
            continue
        if not _is_mention(text, match, start):
            found.append((number, start))
    if not found:
        return ()
    signature = next(
        (s.start("at") for s in _SIGNATURE.finditer(text) if s.start("at") > found[-1][1]),
        len(text),
    )
    ends = [start for _, start in found[1:]] + [signature]
    titles = {**OLD_ITEM_TITLES, **ITEM_TITLES}
    return tuple(
        EightKItem(number, titles[number], start, end)
        for (number, start), end in zip(found, ends, strict=True)
    )


def event_date(text: str) -> date | None:
    """The "date of earliest event reported" of the cover page, else the date above the registrant's name."""
    cover = text[:_COVER]
    for found in _EVENT_DATE.finditer(cover):
        after = cover[found.end() : found.end() + 120]
        before = cover[max(0, found.start() - 120) : found.start()]
        day = first_day(after, slashes=True) or _last_date(before)
        if day is not None:
            return day
    name = _EXACT_NAME.search(cover)
    return _last_date(cover[: name.start()]) if name else None


def read_press_release(text: str) -> PressRelease:
    """Headline, dateline and first paragraph of an EX-99.1 in plain text; None for what is not there."""
    head = text[:_HEAD]
    dateline = _DATELINE.search(head)
    if dateline is None:
        # Without a day in the dateline the head may say it: "For Immediate Release: May 4, 2021".
        paragraph = _first_long_line(head)
        top = head[: head.find(paragraph)] if paragraph else head
        wire = _WIRE.match(paragraph or "")
        place = " ".join(wire["place"].split()).strip(" ,") if wire else None
        return PressRelease(_headline(top), place, first_day(top, slashes=True), paragraph)
    line_start = head.rfind("\n", 0, dateline.start()) + 1
    line_end = text.find("\n", dateline.end())
    paragraph = text[line_start : line_end if line_end > 0 else len(text)].strip()
    # A dateline alone on its line: the paragraph follows.
    if len(paragraph) < len(dateline[0]) + 60:
        paragraph = _first_long_line(text[dateline.end() : dateline.end() + _HEAD]) or paragraph
    return PressRelease(
        headline=_headline(head[:line_start]),
        place=" ".join(dateline["place"].split()).strip(" ,-–—"),
        day=first_day(dateline["date"], slashes=True),
        first_paragraph=paragraph,
    )


def _is_old(text: str) -> bool:
    """Whether a report has the item numbers that were used until August 2004."""
    return _NEW_ITEM.search(text) is None


def _is_mention(text: str, match: re.Match[str], start: int) -> bool:
    """An item named inside a sentence ("the information in Item 2.02 is furnished") heads nothing."""
    line_start = max(text.rfind("\n", max(0, start - _NEAR), start) + 1, start - _NEAR)
    before = text[line_start:start].strip(" \t|")
    after = text[match.end() : match.end() + _NEAR].partition("\n")[0].strip(" |.:-–—")
    if _REFERENCE.search(before):
        return True
    if before and not re.fullmatch(r"(?:Section\s+\d.*|[\W\dx]*)", before, re.IGNORECASE):
        # In the middle of a line only a heading in its full words counts.
        number = re.sub(r"\s", "", match["number"])
        title = (
            (ITEM_TITLES.get(number) or OLD_ITEM_TITLES.get(number) or "?").split(" ")[0].lower()
        )
        return not after.lower().startswith(title)
    # "Item 2.02 of this Form 8-K ..." at the beginning of a wrapped line.
    return (
        re.match(
            r"(?:of\s+(?:this|the|our|its)|and\s+(?:in\s+)?(?:this\s+)?item|above|below|hereof"
            r"|in\s+this|shall|is\s+(?:being|incorp)|,)",
            after,
            re.IGNORECASE,
        )
        is not None
    )


def _headline(text: str) -> str | None:
    """The first line with words enough and a verb of news, else the first with words enough.

    Lines that follow it without a blank one between are its rest; one that begins with "and" has its
    beginning in the line before.
    """
    lines = [line.strip(" |") for line in text.split("\n")]
    good = [index for index, line in enumerate(lines) if _can_be_headline(line)]
    if not good:
        return None
    first = next((index for index in good if _NEWS_VERB.search(lines[index])), good[0])
    parts = [lines[first]]
    for line in lines[first + 1 : first + 3]:
        if not line or _NO_HEADLINE.match(line) or len(line) > _LONGEST_HEADLINE:
            break
        parts.append(line)
    before = next((line for line in reversed(lines[:first]) if line), "")
    if re.match(r"(?:and|&|to|of|for)\b", parts[0], re.IGNORECASE) and before and len(before) < 100:
        parts.insert(0, before)
    return " ".join(parts)


def _can_be_headline(line: str) -> bool:
    return (
        20 <= len(line) <= _LONGEST_HEADLINE
        and len(line.split()) >= 4
        and not _NO_HEADLINE.match(line)
        and "@" not in line
        and " | " not in line
        and not _ADDRESS.search(line)
    )


def _first_long_line(text: str) -> str | None:
    return next((s for line in text.split("\n") if len(s := line.strip()) >= 120), None)


def _last_date(text: str) -> date | None:
    days = days_in(text, slashes=True)
    return days[-1].day if days else None
