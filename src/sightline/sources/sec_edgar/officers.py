"""Executive officers as annual reports and proxy statements list them: in tables and in paragraphs."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from sightline.domain.evidence import Observation
from sightline.reading.months import NAMES
from sightline.reading.sentences import sentence_at, sentences
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
from sightline.sources.sec_edgar.titles import TITLE_WORD

_HEADING = re.compile(
    r"^(?:ITEM\s+\d+[A-Z]?\.?\s*)?(?:[-–—•]\s*)?(?:(?:certain\s+)?information\s+(?:about|regarding"
    r"|concerning)"
    r"\s+(?:our|the|its)?\s*executive\s+officers|(?:our\s+|the\s+"
    r"|certain\s+)?executive\s+(?:officers|management)"
    r"(?:\s+and\s+(?:directors|key\s+employees|certain\s+\w+))?(?:\s+of\s+(?:the\s+"
    r"|our\s+)?[\w.,&' ]{3,60})?"
    r"|directors\s+and\s+(?:executive\s+officers|senior\s+management)(?:\s+of\s+[\w.,&' ]{3,60})?"
    r"|directors,\s+senior\s+management(?:\s+and\s+employees)?|management\s+of\s+the\s+company"
    r"|(?:executive|senior)\s+leadership(?:\s+team)?)\W*$",
    re.IGNORECASE | re.MULTILINE,
)
_AGE = re.compile(r"^(?:Age:?\s*)?(\d{2})(?:\s*\(\d\)|\s*years)?$", re.IGNORECASE)
_YEAR = re.compile(
    r"^(?:Since\s+|Director\s+since:?\s*)?((?:19|20)\d{2})(?:\s*\(.{0,4}\)?.*)?$", re.IGNORECASE
)
_SINCE = re.compile(
    r"(?:\bsince|effective(?:\s+(?:in|as\s+of))?|\bin)\s+(?:(?:early|late"
    r"|mid)[-\s])?(?:\w+\s+(?:\d{1,2},\s+)?)?((?:19|20)\d{2})",
    re.IGNORECASE,
)
_PARAGRAPH = re.compile(
    r"^(?P<name>[^\W\d_][^,(:;|\n]{3,46}?(?:,?\s(?:Jr|Sr|II|III|IV|Ph\.?D|M\.?D)\.?)?)"
    r"(?:\s*\(\s*(?:age\s*)?(?P<a>\d{2})\s*\)[,.:]?|,\s*(?:age[d]?\s*)?(?P<b>\d{2})\s*[,.:]"
    r"|\s*[–—-]\s*Age\s*(?P<c>\d{2})\W?)\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
_DASHED = re.compile(
    r"^(?P<name>[^\W\d_][^,(:;|\n]{3,46}?),\s+(?P<title>[^.|\n]{4,140}?)\s+[—–]\s+(?P<rest>M[rs]{1,2}\.\s+[^\n]+)"
)
_HELD = re.compile(
    r"\b(?:is|has\s+been|has\s+served\s+as|serves\s+as|was\s+(?:elected|appointed|named"
    r"|promoted)(?:\s+(?:to|as))?"
    r"|currently\s+serves\s+as|joined\s+[\w\s,.]{0,50}?\s+as|serve\s+as|became)\s+"
    r"(?:also\s+)?(?:a\s+|an\s+|our\s+|the\s+(?:Company['’]s\s+)?|its\s+)?"
    r"(?P<title>(?:(?:Senior|Executive|Group|Corporate|Global|Interim|Acting|Co-|First|Regional"
    r"|Deputy|Assistant)\s+)*"
    r"(?:Vice|Chief|President|Chair\w*|General|Director|Principal|Managing|Head|Treasurer"
    r"|Controller|Secretary"
    r"|CEO|CFO|COO|Founder|Co-Founder|Executive|Senior|Corporate)\b(?:[^.;|\n]|(?<=\bU)\."
    r"|(?<=\bU\.S)\.){0,120})"
)
_SECOND = re.compile(
    r"since\s[^.;]{4,30}?,?\s+and\s+(?:has\s+served\s+)?as\s+(?:our\s+|the\s+"
    r"|its\s+)?(?P<title>(?:President|Chief|Chair"
    r"|Senior|Executive|Vice|General|Director|CEO)\b[^.;|\n]{0,120})"
)
_TITLE_END = re.compile(
    r",?\s+(?:since|effective|a\s+position|a\s+role|from|until|prior|where|which|who|and\s+(?:has"
    r"|as\s+(?:a\s+)?member|was|a\s+"
    r"(?:member|director)|served|is|oversees|leads|has\s+served)|in\s+(?:"
    + NAMES
    + r"|early|late|\d{4})|responsible|of\s+(?:the"
    r"|our)\s+Company|of\s+the"
    r"\s+(?:Corporation|Registrant)|with\s+responsib|after|upon|on\s+\w+\s+\d|at\s+the|having"
    r"|overseeing|for\s+the"
    r"\s+past)\b.*$|\s*\(.*$",
    re.IGNORECASE | re.DOTALL,
)
_STRONG = re.compile(r"\bage[d]?\s*\d{2}\b", re.IGNORECASE)
_HEADER = re.compile(r"^(?:name|officer|director|executive)\b", re.IGNORECASE)
_POSITION = re.compile(r"\b(?:positions?|titles?|offices?)\b", re.IGNORECASE)
_PAY = re.compile(
    r"\b(?:salary|fees|shares|awards?|options?|amount|ownership|payment)\b|\$", re.IGNORECASE
)
_BOARD = re.compile(
    r"^(?:(?:our|the|members\s+of\s+(?:our|the))\s+)?(?:board\s+of\s+directors|directors|nominees)",
    re.IGNORECASE,
)
_OCCUPATION = re.compile(r"\boccupation\b", re.IGNORECASE)
_LINES_BELOW_HEADER = 40
_JOINED = re.compile(r"\bjoined\s+(?:[\w.&’']+\s+){1,4}in\s+(?:\w+\s+)?\d{4}$", re.IGNORECASE)
_LONGEST_HEADING = 130
_PERSON_SPAN = 26_000
_LONGEST_QUOTE = 500


Listed = Literal["officers", "board"] | None


def read_officers(text: str) -> tuple[Person, ...]:
    """Executive officers (and directors, where listed with ages) of an annual report or proxy statement.

    Tables with a name, an age and a position count anywhere in the text; paragraphs only under a
    heading that announces them.
    """
    people = list(_from_tables(text))
    for start, end in _sections(text):
        people += _from_paragraphs(text, start, end, announced=True)
        people += _from_stacks(text, start, end)
    people += _from_paragraphs(text, 0, len(text), announced=False)
    return unique_people(person for person in people if person.title)


def officer_observations(text: str) -> tuple[Observation, ...]:
    """`person` and `ceo` from the lists of executive officers."""
    return tuple(people_observations(read_officers(text), confidence=0.88))


def _sections(text: str) -> Iterator[tuple[int, int]]:
    """Spans below headings on executive officers, up to the next heading of their kind."""
    last = -1
    for found in _HEADING.finditer(text):
        if found.start() >= last:
            last = found.end() + _PERSON_SPAN
            following = re.search(
                r"\n(?:ITEM\s+\d|PART\s+I)", text[found.end() : last], re.IGNORECASE
            )
            last = found.end() + following.start() if following else last
            yield found.end(), last


def _from_tables(text: str) -> Iterator[Person]:
    rows = list(rows_of(text))
    header: list[Cell] = []
    listed: Listed = None
    for index, row in enumerate(rows):
        if len(row) < 2:
            listed = _announced(row[0].text, listed)
            continue
        if _HEADER.match(row[0].text) and person_name(row[0].text) is None:
            header = row
            continue
        if header and row[0].line - header[0].line > _LINES_BELOW_HEADER:
            header = []
        person = _from_row(text, rows, index, header=header, listed=listed)
        if person is not None:
            yield person


def _announced(line: str, before: Listed) -> Listed:
    """Whom the tables below a line list: a line on officers or on the board says so, others leave it."""
    if len(line) > _LONGEST_HEADING or person_name(line) is not None:
        return before
    if re.search(r"\b(?:executive|principal)\s+officers\b|\bmanagement\b", line, re.IGNORECASE):
        return "officers"
    return "board" if _BOARD.match(line) else None


def _from_row(
    text: str, rows: Sequence[list[Cell]], index: int, *, header: Sequence[Cell], listed: Listed
) -> Person | None:
    """The person of a table row with an age, or with a title below a heading that says so."""
    row = rows[index]
    name = person_name(row[0].text)
    both = None if name or len(row[0].text) > 140 else split_name_and_title(row[0].text)
    if name is None and both is None:
        return None
    age = next((c for c in row[1:] if (a := _age(c.text)) is not None and 25 <= a <= 99), None)
    headed = any(_POSITION.search(c.text) for c in header) and not any(
        _PAY.search(c.text) for c in header
    )
    if age is None and not (headed and header[0].line < row[0].line):
        return None
    title_cell = next((c for c in row[1:] if c is not age and TITLE_WORD.search(c.text)), None)
    title = _cut(both[1]) if both else _title_of_cell(title_cell.text if title_cell else "")
    used = [row[0], *([age] if age else []), *([title_cell] if title_cell and not both else [])]
    if age is not None and (not title or (title_cell and len(title_cell.text) > 160 and not both)):
        stacked = _title_below(rows, index)
        if stacked is not None and (not title or len(stacked.text) < len(title) + 40):
            title, used = stacked.text, [row[0], age, stacked]
    leads = re.search(r"\bexecutive chair|\bchief executive officer$", title, re.IGNORECASE)
    occupation = listed != "officers" and any(_OCCUPATION.search(c.text) for c in header)
    if occupation or (listed == "board" and age is not None and not leads):
        # What a director does elsewhere is no title here.
        title = "Director"
    if not title or title.lower().startswith("former"):
        return None
    years = (_YEAR.match(c.text) for c in row[1:] if c is not age)
    since = next((int(found[1]) for found in years if found), None)
    if since is None and title_cell is not None:
        since = _since(title_cell.text)
    shown = name or (both[0] if both else "")
    return _person(text, shown, title, used, age=_age(age.text) if age else None, since=since)


def _from_stacks(text: str, start: int, end: int) -> Iterator[Person]:
    """A name, an age and a title, each on a line of its own."""
    rows = list(rows_of(text, start, end))
    for index, row in enumerate(rows):
        name = person_name(row[0].text) if len(row) == 1 else None
        if name is None:
            continue
        below = [line[0] for line in rows[index + 1 : index + 1 + 3] if len(line) == 1]
        age = next((c for c in below if _AGE.match(c.text)), None)
        title = next((c for c in below if is_title(c.text) and len(c.text) <= 140), None)
        if age is not None and title is not None:
            used = [row[0], age, title]
            yield _person(text, name, title.text, used, age=_age(age.text), since=None)


def _title_below(rows: Sequence[list[Cell]], index: int) -> Cell | None:
    """A title on a line of its own right below a name."""
    if index + 1 < len(rows) and len(rows[index + 1]) == 1:
        cell = rows[index + 1][0]
        if is_title(cell.text) and len(cell.text) <= 110:
            return cell
    return None


def _title_of_cell(text: str) -> str:
    """The title that a cell begins with: all of it, or what stands before "since", "effective"..."""
    if not text:
        return ""
    held = _HELD.search(text) if re.match(r"M[rs]{1,2}\.", text) else None
    plain = held["title"] if held else text
    title = _cut(re.split(r"(?<=[a-z)])\.\s", plain, maxsplit=1)[0])
    return title if is_title(title) else ""


def _cut(text: str) -> str:
    """A title without what follows it in a sentence; "U.S." keeps its stop."""
    return re.sub(
        r"(?<![A-Z])(?<!Inc)(?<!Corp)(?<!Ltd)(?<!Co)\.$", "", _TITLE_END.sub("", text).strip(" ,;")
    )


def _from_paragraphs(text: str, start: int, end: int, *, announced: bool) -> Iterator[Person]:
    """Paragraphs that begin with a name and an age; without a heading the word "age" must be there."""
    for row in rows_of(text, start, end):
        cell = row[0]
        if len(row) > 1 or len(cell.text) < 30:
            continue
        dashed = _DASHED.match(cell.text)
        found = dashed or _PARAGRAPH.match(cell.text)
        if found is None or not (announced or _STRONG.search(cell.text[:70])):
            continue
        name = person_name(found["name"])
        if name is None:
            continue
        rest = found["rest"]
        if dashed:
            title, age = dashed["title"], re.search(r",\s+(\d{2}),", rest)
            years = int(age[1]) if age else None
        else:
            groups = found.groupdict()
            years = int(groups["a"] or groups["b"] or groups["c"])
            sentence = f"{name} {rest}" if not TITLE_WORD.match(rest.split(" ")[0]) else rest
            held = _HELD.search(sentence[:400])
            title = held["title"] if held else (rest if sentence is rest else "")
            first = next(iter(sentences(title)), (0, 0))
            title = _cut(title[slice(*first)])
            if held and (second := _SECOND.search(sentence[held.start("title") : 400])):
                title = f"{title}, {_cut(second['title'])}"
        if not is_title(title) or not (years is None or 25 <= years <= 99):
            continue
        place = min(len(found["name"]) + len(title), len(cell.text))
        _, length = sentence_at(cell.text, place, place)
        stop = cell.start + min(length, _LONGEST_QUOTE)
        quoted = Cell(text[cell.start : stop], cell.start, stop, cell.line, 0)
        yield _person(text, name, title, [quoted], age=years, since=_since(quoted.text))


def _person(
    text: str, name: str, title: str, used: Sequence[Cell], *, age: int | None, since: int | None
) -> Person:
    start, end = min(cell.start for cell in used), max(cell.end for cell in used)
    end = min(end, start + _LONGEST_QUOTE)
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


def _age(text: str) -> int | None:
    found = _AGE.match(text)
    return int(found[1]) if found else None


def _since(text: str) -> int | None:
    """The year that the first "since" or "effective" names."""
    found = _SINCE.search(text, max(0, text.lower().find(" since ")))
    # "joined the company in 2007" is not since when the title is held.
    if found is None or _JOINED.search(text[: found.end()]):
        return None
    return int(found[1])
