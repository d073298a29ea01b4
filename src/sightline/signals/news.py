"""News: press releases, feed items and news pages, read by the text detector for one company."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Final
from urllib.parse import urlsplit

from sightline.domain.happenings import (
    EvidenceDocument,
    SignalAmount,
    SignalParty,
    SourceKind,
    Subject,
    Telling,
)
from sightline.domain.signals import KINDS, PartyRole, SignalType
from sightline.domain.websites import domain_of
from sightline.signals.contract import (
    about_of,
    is_subject,
    mentions,
    noon,
    person_key,
    source_of,
)
from sightline.signals.dates import day_of, is_old
from sightline.signals.filing_words import is_own as is_own_firm
from sightline.signals.headlines import headline
from sightline.signals.mistaken import LEAST_MONEY, is_mistaken
from sightline.signals.parties import Party
from sightline.signals.sentences import LONGEST, plain, sentences
from sightline.signals.text import Detected, detect

LEAST: Final = 0.6
# A second telling of a document must be as sure as this: what is news stands at the top.
LEAST_FURTHER: Final = 0.75
LEAST_BELOW: Final = 0.93
_TOP: Final = 4  # headline, sub-headline, dateline and the sentence after it
_OPENING: Final = 1_600
_MOST: Final = 3
_MOST_SENTENCES: Final = 10
_MOST_ITEMS: Final = 40
_MOST_EXHIBITS: Final = 5
_ISO_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
# Types that only statistics, registers or two versions of a page can tell.
_NOT_FROM_TEXT: Final = frozenset(
    {
        SignalType.NEW_RISK_FACTOR,
        SignalType.TECHNOLOGY_MENTIONED_IN_JOB,
        SignalType.SENIOR_ROLE_OPENED,
    }
)
_BOILERPLATE: Final = re.compile(
    r"forward-looking|subject\s+to,?\s+among\s+other|factors\s+(?:that\s+)?could\b|including,?\s+without\s+limitation"
    r"|\blogo\]|safe\s+harbor|all\s+rights\s+reserved|cookie|privacy\s+policy|subscribe|^about\s+[A-Z]"
    r"|(?:is|are)\s+(?:anticipated|expected)\s+to\s+(?:result|have|be)\b"
    r"|\(\d{3}\)\s?\d{3}[-.]\d{4}|\bTel\b[.:]|conference\s+call|webcast"
    r"|to\s+(?:learn|read)\s+more|click\s+here|follow\s+us|sign\s+up|dial[- ]in",
    re.IGNORECASE,
)
_DATELINE: Final = re.compile(
    r"^.{0,140}?(?:(?:19|20)\d\d\s*(?:/[\w-]+/)?\s*\)?\s*(?:[–—-]{1,2}|\.{3}|…|:)|/\s*(?:[–—-]{1,2})|"
    r"\((?:BUSINESS WIRE|GLOBE NEWSWIRE|PRNewswire)\)\s*(?:[–—-]{1,2}))\s*",
    re.IGNORECASE,
)
_US: Final = re.compile(r"\b(?:we|our|us|the\s+company|the\s+registrant|the\s+corporation)\b", re.I)


def read(document: EvidenceDocument, subject: Subject) -> list[Telling]:
    """What a piece of news, the items of a feed, or the press release in a current report says that
    happened."""
    own = is_own(document, subject)
    return [
        telling
        for piece, spans in _pieces(document)
        for telling in read_spans(piece, subject, spans, own=own, least=LEAST)
    ]


def is_own(document: EvidenceDocument, subject: Subject) -> bool:
    """Whether the company itself speaks: its filing, or a page under one of its domains."""
    if document.source == "sec_edgar":
        return True
    return domain_of(document.url) in subject.domains


def read_spans(
    document: EvidenceDocument,
    subject: Subject,
    spans: Sequence[tuple[int, int]],
    *,
    own: bool,
    least: float,
) -> list[Telling]:
    """Tellings of single sentences, the surest first, each type once, three at most."""
    said = document.said_at.date()
    found: dict[SignalType, Telling] = {}
    ranks: dict[SignalType, tuple[bool, bool, float]] = {}
    for place, (start, end) in enumerate(spans):
        sentence = document.text[start:end]
        if (
            is_old(sentence, said=said)
            or _BOILERPLATE.search(sentence)
            or sentence.count(" | ") > 1
        ):
            continue
        wanted = least if not found and place < _TOP else LEAST_FURTHER
        wanted = max(wanted, LEAST_BELOW) if place >= _TOP else wanted
        lead = _DATELINE.match(sentence)
        begin = start + (lead.end() if lead and lead.end() < len(sentence) - 30 else 0)
        for each in detect(
            document.text[begin:end], date=said, company=(subject.name, *subject.names)
        ):
            if each.type in _NOT_FROM_TEXT or each.confidence < wanted:
                continue
            if not _is_party(each, document.text[begin:end], subject, document, own=own):
                continue
            if is_mistaken(each, sentence):
                continue
            telling = _telling(document, subject, begin, end, each)
            # Of two tellings one that names the other party is better, then one at the top.
            rank = (bool(telling.about), place < _TOP, telling.confidence)
            if each.type not in found or ranks[each.type] < rank:
                found[each.type], ranks[each.type] = telling, rank
    return sorted(found.values(), key=lambda each: -each.confidence)[:_MOST]


_PREPACKAGED: Final = re.compile(r"\bprepackaged\s+plan\b(?!.*\bfiled\b)", re.I | re.S)


def _pieces(
    document: EvidenceDocument,
) -> Iterator[tuple[EvidenceDocument, list[tuple[int, int]]]]:
    """Each piece of news in a document, dated, with the sentences at its top."""
    text, kind = document.text, document.kind
    if kind == "feed_item" and document.spans:
        for item in document.spans[:_MOST_ITEMS]:
            said = _day_of_item(text, item.start, item.end)
            yield replace(document, published_at=said), _top(text, item.start, item.end)
    elif kind in ("news", "feed_item"):
        yield document, _top(text, _headline_start(text, 0), len(text))
    elif kind == "page" and document.published_at and _is_news(document):
        yield document, _top(text, 0, len(text))
    elif kind == "filing":
        for start in _exhibit_starts(document):
            opening = sentences(text, _headline_start(text, start), start + _OPENING)
            yield document, opening[:_MOST_SENTENCES]


def _day_of_item(text: str, start: int, end: int) -> datetime | None:
    """The day of a feed's item, which its first lines are (sources/feeds): title, day, text."""
    for line in text[start:end].split("\n", 2)[:2]:
        if _ISO_DAY.fullmatch(line):
            try:
                return noon(date.fromisoformat(line))
            except ValueError:  # a title or text that only looks like a day
                return None
    return None


def _top(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The first sentences of a text that has one line a block."""
    return sentences(text, start, min(end, start + _OPENING), by_line=True)[:_MOST_SENTENCES]


def _is_news(document: EvidenceDocument) -> bool:
    if any(span.section == "news" for span in document.spans):
        path = urlsplit(document.url).path.strip("/")
        # "/news" and "/blog" list what is on other pages, each line without its day.
        return "/" in path or len(path) > 24
    return False


def _exhibit_starts(document: EvidenceDocument) -> list[int]:
    starts: dict[str, int] = {}
    for span in document.spans:
        if (span.section or "").upper().startswith("EX-99"):
            starts.setdefault(span.section or "", span.start)
    found = list(starts.values())
    releases = [
        start for start in found[1:] if _RELEASE.search(document.text, start, start + _OPENING)
    ]
    return (found[:1] + releases)[:_MOST_EXHIBITS]


# What tells a further release from a transcript, a contract or slides.
_RELEASE: Final = re.compile(
    r"for\s+immediate\s+release|press\s+release|news\s+release|PRNewswire|business\s+wire|globe\s*newswire",
    re.IGNORECASE,
)
_LETTERHEAD: Final = re.compile(
    r"\b(?:contacts?|media|investors?|tel|phone|e-?mail|for\s+(?:immediate\s+release|more\s+information)|exhibit)\b"
    r"|@|\d{3}[-.)]\s?\d{3}|www\.",
    re.IGNORECASE,
)


def _headline_start(text: str, start: int) -> int:
    """Where a release begins to say something: past its letterhead and contacts."""
    place = start
    for _ in range(30):
        end = text.find("\n", place)
        if end < 0 or end - start > 2_500:
            return start
        line = text[place:end].strip()
        if len(line.split()) >= 4 and not _LETTERHEAD.search(line) and " | " not in line:
            return place
        place = end + 1
    return start


# Who opens a sentence on a company's own site: itself.
_FIRST_PERSON: Final = re.compile(r"\b(?:we|we['’](?:re|ve)|our)\b", re.IGNORECASE)
_INTRODUCES: Final = re.compile(
    r"\W*(?:introducing|announcing|meet\s+the\s+new|now\s+available)\b", re.I
)


def _is_party(
    found: Detected, sentence: str, subject: Subject, document: EvidenceDocument, *, own: bool
) -> bool:
    """Whether the company is part of what a sentence tells.

    "The company" is the registrant in a filing; on a web page it is whoever the article is about.
    """
    parties = [each for each in found.parties if each.role not in ("person", "place", "product")]
    if any(
        is_subject(party.name, subject) or _is_part_of_own_name(party, sentence, subject)
        for party in parties
    ):
        return True
    others = [
        p for p in parties if p.role == KINDS[found.type].actor and not _NO_NAME.fullmatch(p.name)
    ]
    if not own:
        return mentions(sentence, subject) and not others
    if document.kind == "filing" or document.source == "sec_edgar":
        return _US.search(sentence) is not None or mentions(sentence, subject)
    if others or '"' in sentence or "“" in sentence:
        return False
    if found.type == SignalType.LAUNCHES and _INTRODUCES.match(sentence):
        return True
    return _FIRST_PERSON.search(sentence[: found.end]) is not None


def _is_part_of_own_name(party: Party, sentence: str, subject: Subject) -> bool:
    """Whether a party is but a piece of the company's name, as "List" is of "Orla's List"."""
    plain_text = sentence.replace("’", "'").casefold()
    for name in (subject.name, *subject.names):
        own = name.replace("’", "'").casefold()
        start = plain_text.find(own, max(0, party.end - len(own)))
        if 0 <= start <= party.start:
            return True
    return False


def _telling(
    document: EvidenceDocument, subject: Subject, start: int, end: int, found: Detected
) -> Telling:
    text = document.text
    if end - start > LONGEST:
        # A "sentence" without a full stop, as in a list: its evidence alone.
        start, end = start + found.start, start + found.end
    quote = text[start:end]
    said = document.said_at.date()
    parties = _parties(found, subject, quote)
    kind = KINDS[found.type]
    if not any(is_subject(p.name, subject) for p in parties):
        parties = (SignalParty(_free_role(found, parties), subject.name), *parties)
    others = [p for p in parties if not is_subject(p.name, subject)]
    amount = None
    if found.amount is not None and (found.amount.value or 0) >= LEAST_MONEY:
        amount = SignalAmount(found.amount.value or 0.0, found.amount.currency)
    people = [p.name for p in others if p.role == "person"]
    location = next(
        (
            place
            for place in found.locations
            if not re.search(rf"{re.escape(place)}\s+(?:corporation|limited)", quote)
        ),
        None,
    )
    about = person_key(people[0]) if people else about_of(p.name for p in others)
    if kind.other == "place" and location:
        about = about_of([location])
    day = day_of(quote, said=said)
    # Figures that are told are there, whatever plan stands beside them.
    planned = found.planned and found.type != SignalType.EARNINGS_RELEASED
    planned = planned or _PREPACKAGED.search(quote) is not None
    source_kind: SourceKind = (
        "filing" if document.kind == "filing" else "web" if document.kind == "page" else "news"
    )
    return Telling(
        type=found.type,
        title=headline(found, subject, others, amount, quote, planned=planned),
        summary=plain(quote),
        quote=quote,
        source_kind=source_kind,
        source=source_of(document),
        document_id=document.document_id,
        start=start,
        end=end,
        published_at=document.published_at,
        occurred_at=noon(day) or document.published_at,
        planned=planned,
        confidence=found.confidence,
        parties=parties,
        amount=amount,
        location=location,
        about=about,
    )


# What stands for a party without naming it, and defined terms of legal prose.
_NO_NAME: Final = re.compile(
    r"(?:the\s+)?(?:company|registrant|corporation|issuer|board|buyers?|sellers?|purchasers?|debtors?|lenders?|notes?"
    r"|debentureholders|shareholders|stockholders|holders|planned\s+\w+|separation|merger|agreement|secretary|president"
    r"|chairman|chief\s.*|state\s+of\s.*|code|court|plan|transaction|offering|q[1-4]|[a-z]|[A-Z]{2}|inc|corp|llc|ltd|small\s+business"
    r"|united\s+states\b.*|messrs|sec|securities\b.*|nasdaq|nyse|form\b.*|item\b.*|exhibit\b.*)\.?",
    re.IGNORECASE,
)


def _parties(found: Detected, subject: Subject, quote: str) -> tuple[SignalParty, ...]:
    """The parties that are names, each once. What is sold to a part of the company is sold to nobody."""
    kept: dict[str, SignalParty] = {}
    for party in found.parties:
        name = re.sub(r"['’]s$", "", " ".join(party.name.split()))
        if _NO_NAME.fullmatch(name):
            continue
        own = is_subject(name, subject)
        if party.role == "buyer" and not own and is_own_firm(name, quote, subject):
            continue
        kept.setdefault(
            "" if own else name.casefold(), SignalParty(party.role, subject.name if own else name)
        )
    return tuple(kept.values())


def _free_role(found: Detected, parties: Sequence[SignalParty]) -> PartyRole:
    kind = KINDS[found.type]
    taken = {party.role for party in parties}
    company_roles = [
        role
        for role in (kind.actor, kind.other)
        if role not in (None, "person", "place", "product")
    ]
    return next((role for role in company_roles if role not in taken), kind.actor)
