"""Who came and who left, as current reports (item 5.02) say it: officers, not directors.

Pure. An appointment is an observation of a person with a title from its day on; a departure is one
with `until`.
"""

import re
from collections.abc import Iterator
from datetime import date, datetime
from typing import Final

from sightline.profile.evidence import Document, Evidence, FactSeen
from sightline.profile.sentences import cut, spaced

_ITEM: Final = "5.02"
_CONFIDENCE: Final = 0.85
_MONTHS: Final = (
    "January|February|March|April|May|June|July|August|September|October|November|December"
)
_DAY: Final = re.compile(rf"(?:{_MONTHS}) \d{{1,2}}, \d{{4}}")
_EFFECTIVE: Final = re.compile(
    rf"(?:effective|as of|beginning|commencing|last day[^.]{{0,40}}will be|on or about|until)"
    rf"(?: (?:as of|on|immediately upon))?,? (?P<day>{_DAY.pattern})",
    re.I,
)
_PART: Final = r"(?:[A-Z]\.|[A-Z][\w’'-]*[a-z][\w’'-]*|de|van|von|der|la|[IVX]{2,4}|Jr\.|Sr\.)"
_NAME: Final = (
    rf"(?:(?:Mr|Ms|Mrs|Dr)\. )?(?P<name>[A-Z][\w.’'-]*(?: {_PART}){{1,4}})(?:, (?:age )?\d\d)?"
)
_SURNAME: Final = re.compile(r"(?:Mr|Ms|Mrs|Dr)\. ([\w-]+)(?:[’']s?)?")
_NO_NAME: Final = re.compile(
    r"\b(?:Board|Company|Corporation|Committee|Directors?|Officers?|Inc|Corp|Firm|Agreement"
    r"|President|Chief"
    r"|Executive|Vice|Chair\w*|Senior|General|Act|Plan|Item|Form|Report|Current|Bank|Group"
    r"|Registrant"
    r"|Effective|Beginning|Mr|Ms|Mrs|Dr|Compensation|Nominating|Annual|Class|Section|Following|Under|Upon|Pursuant)\b"
    r"|^(?:On|In|The|As|At)\b|[’']s?$"
)
_ROLE: Final = re.compile(
    r"\b(?:Officer|President|Chief|General Counsel|Treasurer|Secretary|Controller|Head"
    r"|Executive Chair\w*"
    r"|Managing Director|C[EFOT]O)\b"
)
_TITLE: Final = (
    r"(?:(?:the|its|our|their|an?|to|be|serve|new|position|office|role|of|as|Company[’']s"
    r"|[A-Z][\w]*[’']s)\s+){0,6}"
    r"(?P<title>(?:[Ii]nterim |[Cc]o-|[Aa]cting )?[A-Z][\w&-]+(?:(?:,)? (?:and |of |the |& |for "
    r"|to )*[A-Z][\w&-]+){0,12})"
)
_APPOINTS: Final = r"(?:appointed|elected|named|promoted|hired|selected|designated)"
_COMES: Final = (
    re.compile(rf"\b{_APPOINTS},?\s+{_NAME},?(?: [a-z][^.;]{{0,60}}?,)?\s+(?:as|to)\s+{_TITLE}"),
    re.compile(
        rf"{_NAME},?(?: [^.;]{{0,120}}?)?\s(?:was|were|has been|have been|will be)\s+{_APPOINTS}"
        rf"\s(?:as |to |by the [Bb]oard (?:as |to ))?{_TITLE}"
    ),
    re.compile(
        rf"{_NAME},?(?: [^.;]{{0,80}}?)? (?:will become|will serve as|became|(?:will assume|assumed)"
        rf" the (?:role|position) of|will succeed [^,.]{{4,40}} as)\s+{_TITLE}"
    ),
)
_GOES: Final = re.compile(
    rf"{_NAME},?(?P<between>[^;]{{0,260}}?)\b(?P<verb>resign(?:ed|s|ing)?|resignation|retir(?:e"
    rf"|es|ed|ing|ement)"
    r"|step(?:ped|s|ping)? down|depart(?:ed|s|ing)?|was terminated|terminated|ceas(?:ed"
    r"|e) to serve|will leave"
    r"|leav(?:es|ing) the|left the)\b"
)
_OF_BOARD: Final = re.compile(
    r"\b(?:from|as a member of|on) (?:the |its |our )?(?:\w+ )?[Bb]oard\b"
    r"|\bas an? (?:\w+ )?[Dd]irector\b"
    r"|\bre-?election\b|\bstand for\b"
)
_STAYS: Final = re.compile(
    r"\b(?:will|shall|to) (?:continue|remain|transition|serve|become|assume)\b(?P<as>[^.;]{0,120})"
)
# Retirement ages, plans and what somebody once left elsewhere are no departure.
_NO_DEPARTURE: Final = re.compile(
    r"\bretirement (?:age|plans?|benefits?|eligib\w+|savings|income|program|account)\b"
    r"|\bprior to (?:joining|his|her)\b"
    r"|\bpreviously\b.{0,60}\bserved\b|\bif (?:he|she|Mr|Ms|the executive)\b|\bin the event\b"
    r"|\bnot (?:the result|due|because|related)\b|\b(?:good reason|without cause)\b",
    re.I,
)


def changes(evidence: Evidence) -> Iterator[FactSeen]:
    """What current reports say of officers who came and went."""
    for document in evidence.documents:
        if document.form != "8-K":
            continue
        for span in document.spans:
            if span.section == _ITEM:
                passage = document.text[span.start : span.end]
                for start, end in cut(passage):
                    yield from _of_sentence(spaced(passage[start:end]), document, evidence)


def _of_sentence(text: str, document: Document, evidence: Evidence) -> Iterator[FactSeen]:
    told = document.said_at.date()
    for pattern in _COMES:
        for found in pattern.finditer(text):
            title = spaced(found["title"]).strip(" ,")
            name = _whole_name(found["name"], document)
            if _is_person(name, evidence) and _ROLE.search(title):
                yield _fact(document, text, name, title=title, on=_effective(text, told))
    leaving = ((_whole_name(each["name"], document), each) for each in _GOES.finditer(text))
    name, gone = next((each for each in leaving if _is_person(each[0], evidence)), ("", None))
    if gone is None or _NO_DEPARTURE.search(text):
        return
    if _OF_BOARD.search(text) and not _ROLE.search(text):
        return
    stays = _STAYS.search(text, gone.end())
    if stays is not None and _ROLE.search(stays["as"]):
        return
    until = _effective(text, told)
    if until <= evidence.now.date():
        yield _fact(document, text, name, until=until, on=told)


def _whole_name(name: str, document: Document) -> str:
    """ "Ingrid Vale" of "Ms. Vale", as the document says it elsewhere."""
    alone = _SURNAME.fullmatch(name)
    if alone is None:
        return name
    whole = re.search(rf"\b(?:[A-Z][\w’-]+ )(?:[A-Z]\. )?{re.escape(alone[1])}\b", document.text)
    return whole[0] if whole is not None else name


def _is_person(name: str, evidence: Evidence) -> bool:
    """Whether it is the name of somebody: no "Mr. Vale", no words that a sentence begins with."""
    first = re.split(r"[\s,.]+", evidence.name)[0]
    words = name.casefold().split()
    return _NO_NAME.search(name) is None and first.casefold() not in words and len(words) > 1


def _effective(text: str, told: date) -> date:
    """The day that a change takes effect; the day of the report where none is said."""
    found = _EFFECTIVE.search(text)
    return datetime.strptime(found["day"].title(), "%B %d, %Y").date() if found else told


def _fact(
    document: Document,
    text: str,
    name: str,
    *,
    on: date,
    title: str | None = None,
    until: date | None = None,
) -> FactSeen:
    value = {"name": name, "title": title} | ({"until": until.isoformat()} if until else {})
    return FactSeen(
        field="person",
        value=value,
        document_id=document.document_id,
        quote=text,
        pointer=None,
        confidence=_CONFIDENCE,
        as_of=on,
        observed_at=document.said_at,
        wins=False,
        source=document.source,
    )
