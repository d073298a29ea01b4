"""People listed in a document with their offices.

In tables a row that begins with a name counts if it has an age, or if the heads of its columns speak of
positions; in lists the age and the office stand in lines of their own below the name; a paragraph counts
that begins with a name and an age.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, Literal

from sightline.reading.layout import Cell, Row, rows_of
from sightline.reading.months import NAMES
from sightline.reading.offices import OFFICE_WORD, is_office, office_in
from sightline.reading.people import person_name, split_name_and_office
from sightline.reading.sentences import sentence_at
from sightline.reading.tokens import tokens

Group = Literal["officers", "board"] | None
"""Whom the lines below a heading list."""

_AGE: Final = re.compile(r"(?:Age:?\s*)?(\d{2})(?:\s*\(\d\)|\s*years)?", re.IGNORECASE)
_ADULT: Final = range(25, 100)
_DIRECTOR_SINCE: Final = re.compile(
    r"(?:Independent\s+)?Director\s+since:?\s*(?:\w+\s+)?((?:19|20)\d{2})", re.IGNORECASE
)
_YEAR: Final = re.compile(r"(?:Since\s+|FY\s?)?((?:19|20)\d{2})(?:\s*\(.*)?", re.IGNORECASE)
_SINCE: Final = re.compile(
    rf"\b(?:(?:since|effective)\s+(?:(?:in|as\s+of|early|late|mid)[\s-]+)*(?:\w+\s+)?(?:\d{{1,2}},\s+)?"
    rf"|in\s+(?:{NAMES})\s+)((?:19|20)\d{{2}})",
    re.IGNORECASE,
)
_PARAGRAPH: Final = re.compile(
    r"(?P<name>[^\W\d_][^(:;|\d]{3,54}?)\s*[(,–—-]\s*(?P<word>age[d:]?\s*)?(?P<age>\d{2})\s*[),.:]+\s*",
    re.IGNORECASE,
)
_INTRODUCED: Final = re.compile(
    r"(?P<office>[^|]{8,160}?)\s+[—–]\s+M[rs]{1,2}\.\s[^,.]{2,40},\s+(\d{2}),"
)
_NAME_COLUMN: Final = frozenset("name officer director executive".split())
_POSITION: Final = frozenset("position positions title titles office offices".split())
_PAY: Final = frozenset(
    "salary fees shares award awards option options amount ownership payment".split()
)
_OFFICERS: Final = ("executive officers", "principal officers", "management")
_BOARD: Final = re.compile(
    r"(?:(?:our|the|members\s+of\s+(?:our|the))\s+)?(?:board\s+of\s+directors|directors|nominees)",
    re.IGNORECASE,
)
_LONGEST_HEADING: Final = 130
_LONGEST_OFFICE: Final = 140
_LONGEST_BOTH: Final = 210  # characters of name and office in one cell
_LONGEST_QUOTE: Final = 500
_SHORTEST_PARAGRAPH: Final = 30
_LINES_BELOW_HEAD: Final = 40
_LINES_BELOW_NAME: Final = 9
_CLAUSE: Final = 40
_SENTENCE: Final = 400  # characters in which a paragraph names the office


@dataclass(frozen=True, slots=True)
class Listed:
    """A person of a list; characters `start` up to `end` of the text say so. `since` is a year."""

    name: str
    office: str
    age: int | None
    since: int | None
    start: int
    end: int


def listed_people(text: str) -> Iterator[Listed]:
    """The people that a text lists with their offices, in order; one who is listed twice comes twice."""
    rows = list(rows_of(text))
    group: Group = None
    head: Row = []
    for at, row in enumerate(rows):
        first = row[0].text
        if len(row) == 1:
            group = _announced(first, group)
            found = _paragraph(row[0], is_announced=group == "officers") or _stack(rows, at)
        elif _heads_names(first):
            head, found = row, None
        else:
            if head and row[0].line - head[0].line > _LINES_BELOW_HEAD:
                head = []
            found = _table_row(row, head=head, group=group)
        if found is not None:
            yield found


def _announced(line: str, before: Group) -> Group:
    """Whom a line announces: a heading on officers or on the board, or the next item; others change
    nothing."""
    if len(line) > _LONGEST_HEADING:
        return before
    words = _words(line)
    spaced = f" {' '.join(words)} "
    if any(f" {named} " in spaced for named in _OFFICERS):
        return "officers"
    if _BOARD.match(line):
        return "board"
    is_item = words[:1] == ["item"] and words[1:2] and words[1][0].isdigit()
    return None if is_item or spaced.startswith(" part i") else before


def _heads_names(cell: str) -> bool:
    """Whether a cell is the head of a column of names."""
    first = next(tokens(cell), None)
    is_head = first is not None and first.text.lower() in _NAME_COLUMN
    return is_head and person_name(cell) is None


def _words(text: str) -> list[str]:
    return [token.text.lower() for token in tokens(text)]


# tables


def _table_row(row: Row, *, head: Row, group: Group) -> Listed | None:
    """The person of a row with an age, of a row below a head on positions, or of a pay table."""
    age = _age_cell(row)
    if not (age or _is_on_positions(head) or _is_paid(row)):
        return None
    name, own = _name_of(row[0].text)
    if name is None:
        return None
    rest = [cell for cell in row[1:] if cell is not age]
    held = _first(rest, OFFICE_WORD.search)
    office = _whole_office(own or _text(held))
    if _is_of_board(office, head, group, has_age=age is not None):
        office = "Director"  # what a director does elsewhere is no office here
    if not office or office.lower().startswith("former"):
        return None
    used = [cell for cell in (row[0], age, None if own else held) if cell]
    years = _age(_text(age))
    return _listed(name, office, used, age=years, since=_since_in(row, rest, held))


def _age_cell(row: Row) -> Cell | None:
    """The age in a row; rows of sums and shares have none."""
    if _is_paid(row) or any("$" in cell.text or "%" in cell.text for cell in row):
        return None
    return _first(row[1:], _age)


def _is_on_positions(head: Row) -> bool:
    """Whether the heads of the columns speak of positions, and not of pay."""
    words = {word for cell in head for word in _words(cell.text)}
    is_paid = not words.isdisjoint(_PAY) or any("$" in cell.text for cell in head)
    return not words.isdisjoint(_POSITION) and not is_paid


def _since_in(row: Row, rest: Sequence[Cell], held: Cell | None) -> int | None:
    """The year in a cell of its own, else the one beside the office."""
    years = (_YEAR.fullmatch(cell.text) for cell in rest if not _is_paid(row))
    stated = next((int(found[1]) for found in years if found), None)
    return stated or _since(_text(held))


def _name_of(text: str) -> tuple[str | None, str | None]:
    """Name and, where the cell has it too, office."""
    if name := person_name(text):
        return name, None
    return (split_name_and_office(text) if len(text) <= _LONGEST_BOTH else None) or (None, None)


def _is_paid(row: Row) -> bool:
    """Whether a row is one of a table of pay by years."""
    return len(row) > 3 and _YEAR.fullmatch(row[1].text) is not None


def _is_of_board(office: str, head: Row, group: Group, *, has_age: bool) -> bool:
    if any("occupation" in cell.text.lower() for cell in head) and group != "officers":
        return True
    low = office.lower()
    leads = "executive chair" in low or low.endswith("chief executive officer")
    return group == "board" and has_age and not leads


def _whole_office(text: str) -> str:
    """The office that a cell is, or that the sentence in it names first; "" for none."""
    bare = text.partition(" (")[0].strip(" ,;")
    return bare if is_office(bare) else office_in(text) or ""


# lists


def _stack(rows: Sequence[Row], at: int) -> Listed | None:
    """A name on a line of its own, with age and office, or the year on the board, in lines below it."""
    top = rows[at][0]
    name = person_name(top.text)
    if name is None:
        return None
    below = _cells_below(rows, at)
    age, since = _first(below, _age), _first(below, _DIRECTOR_SINCE.match)
    years = _age(_text(age))
    held = _first([cell for cell in below[:3] if cell is not since], is_office)
    if since is not None:
        office = held.text if held and "chair" in held.text.lower() else "Director"
        year = _DIRECTOR_SINCE.match(since.text)
        begun = int(year[1]) if year else None
        return _listed(name, office, [top, since], age=years, since=begun)
    if held and age in below[:3] and age and len(held.text) <= _LONGEST_OFFICE:
        return _listed(name, held.text, [top, age, held], age=years, since=None)
    return None


def _first(cells: Iterable[Cell], fits: Callable[[str], object]) -> Cell | None:
    """The first cell whose text fits."""
    return next((cell for cell in cells if fits(cell.text)), None)


def _text(cell: Cell | None) -> str:
    return cell.text if cell else ""


def _cells_below(rows: Sequence[Row], at: int) -> list[Cell]:
    """The cells of the lines below a name, up to the next one."""
    following = rows[at + 1 : at + 1 + _LINES_BELOW_NAME]
    own = takewhile(lambda row: person_name(row[0].text) is None, following)
    return [cell for row in own for cell in row]


# paragraphs


def _paragraph(cell: Cell, *, is_announced: bool) -> Listed | None:
    """A paragraph that begins with a name and an age; unannounced it must say "age"."""
    if len(cell.text) < _SHORTEST_PARAGRAPH:
        return None
    found = _PARAGRAPH.match(cell.text)
    name = person_name(found["name"]) if found else None
    if found is None or name is None:
        return _introduced(cell) if is_announced else None
    if not (is_announced or found["word"]) or int(found["age"]) not in _ADULT:
        return None
    office = office_in(cell.text[found.end() : found.end() + _SENTENCE])
    if office is None:
        return None
    place = min(found.end() + len(office), len(cell.text))
    _, length = sentence_at(cell.text, place, place)
    quoted = Cell(cell.text[:length], cell.start, cell.start + length, cell.line)
    return _listed(name, office, [quoted], age=int(found["age"]), since=_since(quoted.text))


def _introduced(cell: Cell) -> Listed | None:
    """ "Ann Smith, Chief Financial Officer — Ms. Smith, 58, joined ..." """
    found = _INTRODUCED.match(cell.text)
    both = split_name_and_office(found["office"]) if found else None
    if found is None or both is None:
        return None
    _, length = sentence_at(cell.text, found.end(), found.end())
    quoted = Cell(cell.text[:length], cell.start, cell.start + length, cell.line)
    return _listed(both[0], both[1], [quoted], age=int(found[2]), since=_since(quoted.text))


def _listed(
    name: str, office: str, used: Sequence[Cell], *, age: int | None, since: int | None
) -> Listed:
    start, end = min(cell.start for cell in used), max(cell.end for cell in used)
    return Listed(name, office, age, since, start, min(end, start + _LONGEST_QUOTE))


def _age(text: str) -> int | None:
    found = _AGE.fullmatch(text)
    return int(found[1]) if found and int(found[1]) in _ADULT else None


def _since(text: str) -> int | None:
    """The year that the first "since" or "effective" names, or a month before; not that of joining."""
    found = _SINCE.search(text, max(0, text.lower().find(" since ")))
    if found is None or "joined" in text[max(0, found.start() - _CLAUSE) : found.start()]:
        return None
    return int(found[1])
