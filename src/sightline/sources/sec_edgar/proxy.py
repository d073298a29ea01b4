"""Proxy statements (DEF 14A): directors and named executive officers."""

import re
from collections.abc import Iterator, Sequence

from sightline.domain.evidence import Observation
from sightline.sources.sec_edgar.officers import read_officers
from sightline.sources.sec_edgar.people import (
    Cell,
    Person,
    is_title,
    people_observations,
    person_name,
    role_of,
    rows_of,
    split_name_and_title,
    unique_people,
)

_SINCE = re.compile(
    r"^(?:Independent\s+)?Director\s+since:?\s*(?:\w+\s+)?((?:19|20)\d{2})", re.IGNORECASE
)
_AGE = re.compile(r"^Age:?\s*(\d{2})\b", re.IGNORECASE)
_CHAIR = re.compile(
    r"^(?:(?:Independent|Executive|Non-?Executive|Lead|Vice)\s+)*(?:Chair(?:man|woman|person)?|Director)"
    r"(?:\s+(?:of\s+the\s+Board|and\s+[\w\s]+))?$",
    re.IGNORECASE,
)
_YEAR = re.compile(r"^(?:FY\s?)?20\d{2}$")
_BELOW = 9


def read_proxy(text: str) -> tuple[Person, ...]:
    """Directors (with age and the year they joined) and named executive officers (with titles)."""
    rows = list(rows_of(text))
    officers = list(_paid(text, rows))
    return unique_people([*officers, *_directors(text, rows), *read_officers(text)])


def proxy_observations(text: str) -> tuple[Observation, ...]:
    """`person` and `ceo` from a proxy statement."""
    return tuple(people_observations(read_proxy(text), confidence=0.88))


def _paid(text: str, rows: Sequence[list[Cell]]) -> Iterator[Person]:
    """The rows of the summary compensation table that begin with a name and a position."""
    for index, row in enumerate(rows):
        if len(row) < 4 or not _YEAR.match(row[1].text):
            continue
        both = split_name_and_title(re.sub(r"\s*\(\d{1,2}\)", "", row[0].text))
        used = [row[0]]
        if both is None and (name := person_name(row[0].text)):
            # The position stands in the row of the year before.
            below = rows[index + 1][0] if index + 1 < len(rows) else None
            if below is not None and is_title(below.text):
                both, used = (name, below.text), [row[0], below]
        if both is None or both[1].lower().startswith("former"):
            continue
        yield _person(text, both[0], both[1], used)


def _directors(text: str, rows: Sequence[list[Cell]]) -> Iterator[Person]:
    """A name on a line of its own, and below it the year since when the person is a director."""
    for index, row in enumerate(rows):
        name = person_name(row[0].text)
        if name is None:
            continue
        below: list[Cell] = []
        for line in rows[index + 1 : index + 1 + _BELOW]:
            if person_name(line[0].text):
                break
            below += line
        since = next((c for c in [*row[1:], *below] if _SINCE.match(c.text)), None)
        if since is None:
            continue
        age = next((c for c in [*row[1:], *below] if _AGE.match(c.text)), None)
        chair = next((c for c in below[:3] if _CHAIR.match(c.text)), None)
        year = _SINCE.match(since.text)
        years = _AGE.match(age.text) if age else None
        title = chair.text if chair else "Director"
        used = [row[0], since]
        yield _person(
            text,
            name,
            title,
            used,
            age=int(years[1]) if years else None,
            since=int(year[1]) if year else None,
        )


def _person(
    text: str,
    name: str,
    title: str,
    used: Sequence[Cell],
    *,
    age: int | None = None,
    since: int | None = None,
) -> Person:
    start, end = min(cell.start for cell in used), max(cell.end for cell in used)
    return Person(
        name=name,
        title=title,
        role=role_of(title),
        age=age,
        since=since,
        signed=None,
        quote=text[start:end],
        start=start,
        end=end,
    )
