"""The signature pages of a report: signers, their capacities, and dates."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from sightline.domain.evidence import Observation
from sightline.domain.names import fold
from sightline.reading.dates import first_day, without_days
from sightline.reading.layout import Cell, Row, rows_of
from sightline.reading.offices import is_office
from sightline.reading.people import may_be_same, person_name, split_name_and_office
from sightline.sources.sec_edgar.people import Person, people_observations, unique_people

_PURSUANT = re.compile(
    r"Pursuant\s+to\s+the\s+requirements?\s+of\s+(?:Sections?|the\s+Securities)"
    r"|registrant\s+(?:hereby\s+)?certifies\s+that\s+it\s+meets\s+all",
    re.IGNORECASE,
)
_MARK = re.compile(r"/\s?s\s?/+\.?", re.IGNORECASE)
_PRINCIPAL = re.compile(r"principal\s+executive\s+officer", re.IGNORECASE)
# What the form asks for in brackets behind a title.
_ASKED = re.compile(
    r"\(\s*(?:co-)?principal\s+(?:executive|financial|accounting)[^)]*\)?", re.IGNORECASE
)
_NO_CAPACITY = re.compile(
    r"\bLLP\b|power\s+of\s+attorney|attorney[-\s]?in[-\s]?fact|signatures?\b|^the\s+registrant",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^\*?\s*(?:By|Name|Title|Its|Signature|Dated?|Capacity)\s*(?::\s*|$)|\bDated?(?: as of)?\s*:?\s*$",
    re.IGNORECASE,
)
_END = re.compile(
    r"^(?:exhibit(?:s)?(?:\s+index|\s+number|\s+no)|index\s+to|report\s+of\s+independent"
    r"|schedule\s+[IVX]+\b|supplemental\s+information|consolidated\s+financial)",
    re.IGNORECASE,
)
_SPAN: Final = 14_000
_LINES_BELOW: Final = 6
_LONGEST_LINE: Final = 250
_LONGEST_QUOTE: Final = 400


def read_signatures(text: str) -> tuple[Person, ...]:
    """The people who signed a report, from the last signature pages of its text."""
    starts = [found.start() for found in _PURSUANT.finditer(text)]
    if not starts:
        return ()
    # The company's own signature and that of its officers each have such a sentence.
    begin = next(start for start in starts if starts[-1] - start < _SPAN // 2)
    rows = list(rows_of(text, begin, starts[-1] + _SPAN))
    stop = next((i for i, row in enumerate(rows) if i > 2 and _END.match(row[0].text)), len(rows))
    people = unique_people(_signed(text, rows[:stop]))
    # Where no signature has its day the sentence above them says it.
    days = (person.signed for person in people if person.signed)
    common = next(days, None) or first_day(text[begin : begin + _SPAN], slashes=True)
    return tuple(replace(person, signed=person.signed or common) for person in people)


def signature_observations(text: str) -> tuple[Observation, ...]:
    """`person` and `ceo` from the signature pages; the signed date is when they held for sure."""
    return tuple(people_observations(read_signatures(text), confidence=0.9))


def _signed(text: str, rows: Sequence[Row]) -> Iterator[Person]:
    for at, row in enumerate(rows):
        marks = [cell for cell in row if _is_mark(cell.text)]
        below = _until_next(rows, at)
        for column, mark in enumerate(marks):
            if len(marks) == 1:
                pieces = [cell for line in (row, *below) for cell in line if cell is not mark]
            else:
                pieces = _column(below, column, len(marks))
            if person := _person(text, mark, pieces):
                yield person
        # Signed by an attorney: a list of names and capacities.
        is_listed = not marks and len(row) > 1 and person_name(row[0].text) is not None
        if is_listed and (person := _person(text, row[0], row[1:])):
            yield person


def _is_mark(text: str) -> bool:
    return _MARK.search(text) is not None or text == "*" or text.startswith("* ")


def _until_next(rows: Sequence[Row], at: int) -> list[Row]:
    below: list[Row] = []
    for row in rows[at + 1 : at + 1 + _LINES_BELOW]:
        if any(_is_mark(cell.text) for cell in row) or len(row[0].text) > _LONGEST_LINE:
            break
        below.append(row)
    return below


def _column(below: Sequence[Row], column: int, count: int) -> list[Cell]:
    """The cells below one of several signatures beside each other."""
    pieces: list[Cell] = []
    seen = [""] * count  # what stands in each column so far
    for line in below:
        if len(line) == count:
            pieces.append(line[column])
            seen = [f"{before} {cell.text}" for before, cell in zip(seen, line, strict=True)]
        elif len(line) == 1 and _owner_of(line[0].text, seen) == column:
            pieces.append(line[0])
    return pieces


def _owner_of(text: str, columns: Sequence[str]) -> int:
    """Whose a lone "(Principal Executive Officer)" is: the chief executive's, else the first's."""
    if "principal executive" not in text.lower():
        return 0
    return next((at for at, seen in enumerate(columns) if "chief executive" in seen.lower()), 0)


def _person(text: str, mark: Cell, pieces: Sequence[Cell]) -> Person | None:
    """The person of a signature, by it and by the cells beside or below it."""
    signed_as = " ".join(_LABEL.sub("", _MARK.sub(" ", mark.text)).split()).lstrip("* ")
    name, own = _name_in_mark(signed_as)
    titles, used = [own], [mark]
    for cell in pieces:
        other, office = _name_and_capacity(cell.text)
        if name and other and not may_be_same(name, other):
            break
        name = other or name
        titles.append(office)
        used += [cell] if other or office else []
    title = _joined(filter(None, titles))
    if not (name and title) or _NO_CAPACITY.search(title):
        return None
    shown = " ".join(_ASKED.sub("", title).split()).strip(" ,;").replace(" ,", ",") or title
    is_principal = _PRINCIPAL.search(title) is not None
    day = _signed_on((mark, *pieces))
    quote = _quote(text, mark, used)
    return Person(name, shown, quote, signed=day, principal_executive=is_principal)


def _signed_on(cells: Iterable[Cell]) -> date | None:
    days = (first_day(_LABEL.sub("", cell.text), slashes=True) for cell in cells)
    return next(filter(None, days), None)


def _quote(text: str, mark: Cell, used: Sequence[Cell]) -> str:
    start, end = min(cell.start for cell in used), max(cell.end for cell in used)
    return text[start:end] if end - start <= _LONGEST_QUOTE else text[mark.start : mark.end]


def _name_and_capacity(text: str) -> tuple[str | None, str | None]:
    """What a cell beside a signature says: the printed name, the capacity, both or neither."""
    plain = _LABEL.sub("", without_days(_LABEL.sub("", text))).strip(" ,|")
    if name := person_name(plain):
        return name, None
    if both := split_name_and_office(plain):
        return both
    return None, plain if _is_capacity(plain) else None


def _name_in_mark(signed: str) -> tuple[str | None, str | None]:
    """Name and title in the signature itself: "/s/ JANE ROE Jane Roe Chief Executive Officer"."""
    words = signed.split()
    for count in range(2, len(words) - 1):
        first, rest = " ".join(words[:count]), " ".join(words[count:])
        # "/s/ JANE ROE Jane Roe": signed and printed, both from the first name on.
        if not _same_word(words[0], words[count]) or person_name(first) is None:
            continue
        printed = person_name(rest)
        found = (printed, None) if printed else split_name_and_office(rest) or (None, None)
        if found[0] and may_be_same(first, found[0]):
            return found
    if name := person_name(signed):
        return name, None
    # "* Director", the name below
    return split_name_and_office(signed) or (None, signed if _is_capacity(signed) else None)


def _same_word(left: str, right: str) -> bool:
    """The same first name, or one its initial."""
    mine, its = fold(left), fold(right)
    return mine == its or (mine[:1] == its[:1] and 1 in (len(mine), len(its)))


def _is_capacity(text: str) -> bool:
    return is_office(text.strip("()")) and not text.endswith(":") and not _NO_CAPACITY.search(text)


def _joined(titles: Iterable[str]) -> str:
    parts: list[str] = []
    for title in titles:
        bare = title.strip(" ,;")
        if not bare or bare in parts:
            continue
        runs_on = (
            not parts or bare.startswith("(") or parts[-1].endswith((" and", " &", "Principal"))
        )
        parts.append(bare if runs_on else f", {bare}")
    return " ".join(parts).replace(" ,", ",")
