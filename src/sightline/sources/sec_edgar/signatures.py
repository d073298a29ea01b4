"""The signature pages of a report: who signed in what capacity, and when."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from sightline.domain.evidence import Observation
from sightline.domain.names import fold
from sightline.reading.dates import first_day
from sightline.sources.sec_edgar.people import (
    Cell,
    Person,
    is_title,
    may_be_same,
    people_observations,
    person_name,
    role_of,
    rows_of,
    split_name_and_title,
    unique_people,
    without_date,
)

_PURSUANT = re.compile(
    r"Pursuant\s+to\s+the\s+requirements?\s+of\s+(?:Sections?|the\s+Securities)"
    r"|registrant\s+(?:hereby\s+)?certifies\s+that\s+it\s+meets\s+all",
    re.IGNORECASE,
)
_MARK = re.compile(r"/\s?s\s?/+\.?", re.IGNORECASE)
_PRINCIPAL = re.compile(r"principal\s+executive\s+officer", re.IGNORECASE)
_CAPACITIES = (
    (_PRINCIPAL, re.compile(r"chief\s+executive|\bCEO\b", re.IGNORECASE)),
    (
        re.compile(r"principal\s+financial", re.IGNORECASE),
        re.compile(r"chief\s+financial|\bCFO\b|treasurer", re.IGNORECASE),
    ),
    (
        re.compile(r"principal\s+accounting", re.IGNORECASE),
        re.compile(r"chief\s+accounting|controller|comptroller", re.IGNORECASE),
    ),
)
_FACT = re.compile(r"attorney[-\s]?in[-\s]?fact", re.IGNORECASE)
_NO_CAPACITY = re.compile(
    r"\bLLP\b|power\s+of\s+attorney|signatures?\b|^the\s+registrant", re.IGNORECASE
)
_LABEL = re.compile(
    r"^(?:By|Name|Title|Its|Signature|Date[d]?|Capacity)\s*:?\s*$|^\*?\s*By\s*:\s*", re.IGNORECASE
)
_END = re.compile(
    r"^(?:exhibit(?:s)?(?:\s+index|\s+number|\s+no)|index\s+to|report\s+of\s+independent"
    r"|schedule\s+[IVX]+\b"
    r"|supplemental\s+information|consolidated\s+financial)",
    re.IGNORECASE,
)
_SPAN = 14_000
_LOOK_AHEAD = 6
_LONGEST_QUOTE = 400


def read_signatures(text: str) -> tuple[Person, ...]:
    """The people who signed a report, from the last signature pages of its text."""
    starts = [found.start() for found in _PURSUANT.finditer(text)]
    if not starts:
        return ()
    # The company's own signature and that of its officers each have such a sentence.
    near = [start for start in starts if starts[-1] - start < _SPAN // 2]
    rows = list(rows_of(text, near[0], starts[-1] + _SPAN))
    stop = next((i for i, row in enumerate(rows) if i > 2 and _END.match(row[0].text)), len(rows))
    rows = rows[:stop]
    people: list[Person] = []
    for index, row in enumerate(rows):
        marked = [cell for cell in row if _is_mark(cell.text)]
        if marked:
            later = _until_next(rows, index)
            for order, cell in enumerate(marked):
                pieces = _pieces(row, later, cell, order=order, count=len(marked))
                person = _person(text, cell, pieces)
                if person is not None:
                    people.append(person)
        else:
            # Signed by an attorney: a list of names and capacities.
            person = _listed(text, row)
            if person is not None:
                people.append(person)
    common = _common_date(text[near[0] : near[0] + _SPAN], people)
    dated = (
        person if person.signed else _replace_date(person, common)
        for person in unique_people(people)
    )
    return tuple(dated)


def signature_observations(text: str) -> tuple[Observation, ...]:
    """`person` and `ceo` from the signature pages; the signed date is when they held for sure."""
    return tuple(people_observations(read_signatures(text), confidence=0.9))


def _is_mark(text: str) -> bool:
    return _MARK.search(text) is not None or text == "*" or text.startswith("* ")


def _until_next(rows: Sequence[list[Cell]], index: int) -> list[list[Cell]]:
    later: list[list[Cell]] = []
    for row in rows[index + 1 : index + 1 + _LOOK_AHEAD]:
        if any(_is_mark(cell.text) for cell in row) or len(row[0].text) > 250:
            break
        later.append(row)
    return later


def _pieces(
    row: Sequence[Cell], later: Sequence[list[Cell]], mark: Cell, *, order: int, count: int
) -> list[Cell]:
    """The cells that belong to a signature: beside it when it has a row of its own, else below it."""
    pieces = [mark]
    if count == 1:
        pieces += [cell for cell in row if cell is not mark]
        pieces += [cell for line in later for cell in line]
        return pieces
    seen = [""] * count  # what stands in each column so far
    for line in later:
        if len(line) == count:
            pieces.append(line[order])
            seen = [f"{before} {cell.text}" for before, cell in zip(seen, line, strict=True)]
        elif len(line) == 1 and _column_of(line[0].text, seen) == order:
            pieces.append(line[0])
    return pieces


def _column_of(text: str, columns: Sequence[str]) -> int:
    """Whose a lone "(Principal Executive Officer)" is: the chief executive's, else the first's."""
    for asked, has in _CAPACITIES:
        if asked.search(text):
            return next((i for i, column in enumerate(columns) if has.search(column)), 0)
    return 0


def _person(text: str, mark: Cell, pieces: Sequence[Cell]) -> Person | None:
    signed_as = " ".join(_LABEL.sub("", _MARK.sub(" ", mark.text)).split())
    name, inline = _name_in_mark(signed_as)
    titles: list[str] = [inline] if inline else []
    if name is None and _is_capacity(signed_as.lstrip("* ")):
        titles.append(signed_as.lstrip("* "))  # "* Director", the name below
    used = [mark]
    signed: date | None = None
    for cell in pieces[1:]:
        plain = re.sub(r"^(?:Name|Title|Its|By)\s*:\s*", "", cell.text)
        signed = signed or first_day(plain, slashes=True)
        plain = without_date(plain)
        if not plain or _LABEL.match(plain):
            continue
        printed = person_name(plain)
        both = None if printed else split_name_and_title(plain)
        if printed or both:
            other = printed or (both[0] if both else "")
            if name is not None and not may_be_same(name, other):
                break
            name = other
            used.append(cell)
            if both:
                titles.append(both[1])
        elif _is_capacity(plain):
            titles.append(plain)
            used.append(cell)
    title = _joined(titles)
    if name is None or not title or _FACT.search(title):
        return None
    return _built(text, name, title, used, signed=signed)


def _name_in_mark(signed: str) -> tuple[str | None, str | None]:
    """Name and title in the signature itself: "/s/ JANE ROE Jane Roe Chief Executive Officer"."""
    bracketed = re.fullmatch(r"(.+?)\s*\((.+)\)", signed)
    if bracketed and (printed := person_name(bracketed[2])) and may_be_same(bracketed[1], printed):
        return printed, None
    words = signed.split()
    for count in range(2, len(words) - 1):
        first, rest = " ".join(words[:count]), " ".join(words[count:])
        # "/s/ JANE ROE Jane Roe": signed and printed, both from the first name on.
        if person_name(first) is None or not _same_word(words[0], words[count]):
            continue
        if (printed := person_name(rest)) and may_be_same(first, printed):
            return printed, None
        both = split_name_and_title(rest)
        if both and may_be_same(first, both[0]):
            return both
    if name := person_name(signed):
        return name, None
    both = split_name_and_title(signed)
    return both if both else (None, None)


def _same_word(left: str, right: str) -> bool:
    """The same first name, or one its initial."""
    mine, its = fold(left), fold(right)
    return mine == its or (mine[:1] == its[:1] and 1 in (len(mine), len(its)))


def _is_capacity(text: str) -> bool:
    return is_title(text.strip("()")) and not text.endswith(":") and not _NO_CAPACITY.search(text)


def _joined(titles: Sequence[str]) -> str:
    parts: list[str] = []
    for title in titles:
        bare = title.strip(" ,;")
        if bare and bare not in parts:
            runs_on = (
                not parts or bare.startswith("(") or parts[-1].endswith((" and", " &", "Principal"))
            )
            parts.append(bare if runs_on else f", {bare}")
    return re.sub(r"\s+,", ",", " ".join(parts))


def _listed(text: str, row: Sequence[Cell]) -> Person | None:
    if len(row) < 2:
        return None
    name = person_name(row[0].text)
    title = without_date(row[1].text)
    if name is None or not _is_capacity(title) or _FACT.search(title):
        return None
    signed = next((day for cell in row[1:] if (day := first_day(cell.text, slashes=True))), None)
    return _built(text, name, title, list(row[:2]), signed=signed)


def _built(
    text: str, name: str, title: str, used: Sequence[Cell], *, signed: date | None
) -> Person:
    start, end = min(cell.start for cell in used), max(cell.end for cell in used)
    if end - start > _LONGEST_QUOTE:
        start, end = used[0].start, used[0].end
    return Person(
        name=name,
        title=_without_principal(title),
        role=role_of(title),
        age=None,
        since=None,
        signed=signed,
        quote=text[start:end],
        start=start,
        end=end,
        principal_executive=_PRINCIPAL.search(title) is not None,
    )


def _without_principal(title: str) -> str:
    """The title without what the form asks for in brackets, unless that is all there is."""
    bracket = r"\(\s*(?:co-)?principal\s+(?:executive|financial|accounting)[^)]*\)?"
    plain = re.sub(bracket, "", title, flags=re.IGNORECASE)
    plain = " ".join(plain.split()).strip(" ,;")
    return re.sub(r"\s+,", ",", plain) or title


def _common_date(text: str, people: Sequence[Person]) -> date | None:
    """The day that all signed on, where the sentence above the signatures says it."""
    if any(person.signed for person in people):
        return next(person.signed for person in people if person.signed)
    return first_day(text, slashes=True)


def _replace_date(person: Person, signed: date | None) -> Person:
    return replace(person, signed=signed)
