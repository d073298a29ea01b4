"""People in the plain text of filings: what is a person's name, and which cells say what of whom."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from sightline.domain.contacts import bare_name, without_title
from sightline.domain.evidence import Observation
from sightline.domain.names import fold
from sightline.domain.same_person import group_people
from sightline.reading.dates import without_days
from sightline.reading.people import name_words, person_case
from sightline.sources.sec_edgar.names import is_company_name
from sightline.sources.sec_edgar.titles import TITLE_WORD, is_chief_executive, tidy_title

Role = Literal["officer", "director"]

# "Co-Chief Executive Officer", "Joint CEO": how two say that they lead together.
_SHARED = re.compile(r"\b(?:co-?\s?(?=chief|ceo|president|principal)|joint\b)", re.IGNORECASE)
_MOST_CHIEFS = 3
# Words that stand in headings, tables and addresses, and in no one's name.
_NO_NAME = frozenset(
    {
        "accounting", "act", "age", "all", "america", "and", "annual", "attorney",
        "attorney-in-fact", "audit", "avenue", "award", "board", "business", "by",
        "california", "capacity", "ceo", "cfo", "chair", "chairman", "chairwoman", "chief",
        "city", "commission", "committee", "common", "company", "compensation", "controller",
        "coo", "corporate", "corporation", "counsel", "current", "date", "dated", "december",
        "delaware", "development", "director", "director/trustee", "directors", "division",
        "east", "exchange", "executive", "exhibit", "february", "financial", "fiscal", "floor",
        "for", "form", "former", "founder", "general", "global", "governance", "human",
        "independent", "international", "item", "january", "july", "legal", "long-term",
        "manager", "march", "marketing", "member", "members", "name", "new", "nominating",
        "nominee", "nominees", "non-executive", "none", "north", "november", "occupation",
        "october", "of", "officer", "officers", "operations", "other", "our", "part",
        "partner", "per", "performance", "plan", "position", "president", "principal", "pursuant",
        "registrant", "report", "research", "resources", "retired", "road", "sales", "secretary",
        "securities", "senior", "september", "services", "share", "signature", "signatures",
        "since", "south", "states", "stock", "street", "suite", "table", "technology", "texas",
        "the", "title", "total", "treasurer", "trustee", "united", "vice", "year",
    }
)  # fmt: skip
_ANNOUNCED = re.compile(r"\b(?:Dated?(?: as of)?)\s*:?\s*$", re.IGNORECASE)
_LONGEST_NAME = 48
_MOST_WORDS = 5
_CELL_BREAK = re.compile(r"\s\|\s|\t+|\s{3,}")


@dataclass(frozen=True, slots=True)
class Person:
    """A person as one place of a filing describes them. `quote` is verbatim; `since` is a year."""

    name: str
    title: str | None
    role: Role
    age: int | None
    since: int | None
    signed: date | None
    quote: str
    start: int
    end: int
    principal_executive: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table row, or a line of text: characters `start` up to `end` of the text."""

    text: str
    start: int
    end: int
    line: int
    column: int


def rows_of(text: str, start: int = 0, end: int | None = None) -> Iterator[list[Cell]]:
    """The lines of a span that have text, as their cells."""
    position, number = start, 0
    for line in text[start:end].split("\n"):
        cells: list[Cell] = []
        at = 0
        breaks = [(found.start(), found.end()) for found in _CELL_BREAK.finditer(line)]
        for left, right in [*breaks, (len(line), len(line))]:
            piece = line[at:left]
            bare = piece.strip()
            if bare and bare != "|":
                first = position + at + len(piece) - len(piece.lstrip())
                cells.append(Cell(bare, first, first + len(bare), number, len(cells)))
            at = right
        if cells:
            yield cells
            number += 1
        position += len(line) + 1


def person_name(text: str) -> str | None:
    """A person's name in ordinary case, when a text is nothing but that; else None."""
    clean = re.sub(r"\s*\(\d{1,2}\)$|\s*[*†‡]+$", "", " ".join(text.split()).strip(" ,;:*†‡|"))
    if not 4 <= len(clean) <= _LONGEST_NAME:
        return None
    words = name_words(clean)
    if not 2 <= len(words) <= _MOST_WORDS or is_company_name(" ".join(words)):
        return None
    if any(word.lower().strip(".") in _NO_NAME for word in words):
        return None
    if sum(len(word.strip(".")) > 1 for word in words) < 2 and len(words) < 3:
        return None
    if len(words[-1].strip(".")) < 2:
        return None
    return person_case(without_title(clean))


def may_be_same(signed: str, printed: str) -> bool:
    """Whether a signature can be that of a printed name: the same last name, a like first one or its
    initial. Enough beside each other, too little anywhere else (`domain.same_person`)."""
    mine, its = (fold(bare_name(name)).split() for name in (signed, printed))
    if not mine or not its or mine[-1] != its[-1]:
        return False
    return mine[0][0] == its[0][0] or bool(set(mine[:-1]) & set(its[:-1]))


def split_name_and_title(text: str) -> tuple[str, str] | None:
    """("Ann Smith", "Chief Financial Officer") of "Ann Smith, Chief Financial Officer" or without comma."""
    parted = re.match(r"^(.{4,48}?)\s*(?:\s[–—-]\s|,\s+(?!Jr|Sr|I{2,3}\b|IV\b)|:\s+)(.+)$", text)
    if parted and (name := person_name(parted[1])) and is_title(parted[2]):
        return name, parted[2]
    words = text.split(" ")
    for count in range(min(5, len(words) - 1), 1, -1):
        name = person_name(" ".join(words[:count]))
        rest = " ".join(words[count:])
        if name and is_title(rest) and TITLE_WORD.match(rest.lstrip("(").split(" ")[0] or ""):
            return name, rest
        if (
            name
            and is_title(rest)
            and rest.split(" ")[0] in {"Senior", "Executive", "Group", "Former"}
        ):
            return name, rest
    return None


def is_title(text: str) -> bool:
    """Whether a short text is a title: has a word of rank and does not read as a sentence."""
    return (
        len(text) <= 160
        and TITLE_WORD.search(text) is not None
        and not re.search(
            r"\b(?:has|have|was|were|is|are|been|served|serves|pursuant|will|his|her)\b", text
        )
        and not re.search(r"\d{3,}", text)
    )


def without_date(text: str) -> str:
    """A text without its date and the words that announce one."""
    return _ANNOUNCED.sub("", without_days(text)).strip(" ,|")


def role_of(title: str | None) -> Role:
    """`officer` for a title of the management, `director` for one of the board alone."""
    plain = re.sub(
        r"\b(?:non-?executive|independent|lead|executive)?\s*(?:directors?(?!\s+of\s+(?!the\b|our\b))|chair(?:man|woman"
        r"|person)?)\b"
        r"|\bmember\b|\btrustee\b|\bof the board\b",
        "",
        title or "",
        flags=re.IGNORECASE,
    )
    management = re.search(r"\bexecutive\s+chair", title or "", re.IGNORECASE)
    return "officer" if TITLE_WORD.search(plain) or management else "director"


def unique_people(people: Iterable[Person]) -> tuple[Person, ...]:
    """One entry per person: the first with a title, completed by the age and year of the others."""
    listed = list(people)
    groups = group_people(
        [(person.name, None) for person in listed], titles=[person.title for person in listed]
    )
    return tuple(_completed([listed[place] for place in group]) for group in groups)


def _completed(entries: Sequence[Person]) -> Person:
    return replace(
        next((person for person in entries if person.title), entries[0]),
        age=next((person.age for person in entries if person.age), None),
        since=next((person.since for person in entries if person.since), None),
        signed=next((person.signed for person in entries if person.signed), None),
        principal_executive=any(person.principal_executive for person in entries),
    )


def people_observations(
    people: Iterable[Person], *, confidence: float, as_of: date | None = None
) -> Iterator[Observation]:
    """`person` of each, and `ceo` of the chief executive: of both where two share the office.

    Several who do not say that they share it are not told apart, so none is.
    """
    chiefs: list[Person] = []
    for person in people:
        value = {
            "name": person.name,
            "title": tidy_title(person.title) if person.title else None,
            "role": person.role,
            "age": person.age,
            "since": person.since,
        }
        day = as_of or person.signed
        yield Observation("person", value, "text", confidence, quote=person.quote, as_of=day)
        if person.principal_executive or is_chief_executive(person.title or ""):
            chiefs.append(person)
    principal = [person for person in chiefs if person.principal_executive] or chiefs
    shared = 1 < len(principal) <= _MOST_CHIEFS and all(
        _SHARED.search(person.title or "") for person in principal
    )
    if len(principal) == 1 or shared:
        chief = principal[0]
        sure = min(0.95, confidence + 0.05)
        names = " and ".join(sorted(person.name for person in principal))
        yield Observation(
            "ceo", names, "text", sure, quote=chief.quote, as_of=as_of or chief.signed
        )
