"""Exhibit 21: the subsidiaries of a registrant, with where they are organized."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sightline.domain.countries import country_from_text
from sightline.domain.evidence import Observation
from sightline.domain.names import fold, tidy_name
from sightline.domain.places import state_from_text
from sightline.reading.layout import Cell, rows_of
from sightline.reading.legal_forms import is_organization_name

_NOTE = re.compile(r"(?:\s*\(\d{1,2}\)|\s*\[\d+\]|[*†‡]+|\s+\d)+$")
_PERCENT = re.compile(r"^[\d.,]+\s*%?$|^(?:100|[1-9]\d?)(?:\.\d+)?\s*%")
_LEADERS = re.compile(r"\s*(?:\.\s?){3,}\s*|\s*_{3,}\s*|\s*…+\s*")
_HEADING = re.compile(
    r"\b(?:subsidiar(?:y|ies)|jurisdictions?|name\s+of|names?\b.*\b(?:organized|incorporation)"
    r"|organi[sz]ed\s+under"
    r"|incorporat(?:ion|ed)\s+(?:in|under|or)|percent(?:age)?\s+|exhibit|registrant|ownership"
    r"|state\s+or|country\s+of"
    r"|place\s+of|page\b|doing\s+business)",
    re.IGNORECASE,
)
_BRACKETED = re.compile(
    r"^(?P<name>.+?)\s*(?:\(|,\s+an?\s+)(?P<place>[A-Z][\w .,'-]{2,40}?)(?:\s+(?:corporation"
    r"|company|limited|llc|entity)[\w\s]*)?\)?$"
)
_STRUCTURES = re.compile(
    r",?\s*(?:USA?|U\.S\.A?\.?|United States(?:\s+of\s+America)?)\s*$|^(?:the\s+)?(?:state\s+of"
    r"|commonwealth\s+of|province\s+of|republic\s+of|people's\s+republic\s+of)\s+",
    re.IGNORECASE,
)
_LONGEST_NAME = 140


@dataclass(frozen=True, slots=True)
class Subsidiary:
    """One subsidiary. `jurisdiction` is as written, without footnote marks; `quote` is verbatim."""

    name: str
    jurisdiction: str | None
    country_code: str | None
    quote: str


def read_subsidiaries(text: str) -> tuple[Subsidiary, ...]:
    """The companies that an EX-21 lists, in its order, each once.

    With a jurisdiction beside it a line counts whatever its name; alone it must look like a company.
    """
    found: dict[str, Subsidiary] = {}
    for row in rows_of(text):
        for one in _from_row(text, row):
            found.setdefault(fold(one.name), one)
    placed = [one for one in found.values() if one.jurisdiction]
    # In a list with jurisdictions a lone name is the registrant's or a heading's.
    return tuple(placed if len(placed) * 2 > len(found) else found.values())


def subsidiary_observations(text: str) -> tuple[Observation, ...]:
    """`subsidiary` for each company of an EX-21."""
    return tuple(
        Observation(
            "subsidiary",
            {"name": one.name, "jurisdiction": one.jurisdiction, "lei": None},
            "table",
            0.92 if one.jurisdiction else 0.7,
            quote=one.quote,
        )
        for one in read_subsidiaries(text)
    )


def _from_row(text: str, row: Sequence[Cell]) -> Iterator[Subsidiary]:
    cells = [cell for cell in row if not _PERCENT.match(cell.text)]
    if len(row) == 1 and _LEADERS.search(row[0].text):
        cells = _split_leaders(row[0])
    if len(cells) == 1:
        yield from _alone(text, cells[0])
    before: Cell | None = None
    for cell in cells:
        # Two lists side by side have a place beside each name.
        if cell is cells[0] or _country(cell.text) is None:
            before = before or cell
            continue
        if before is not None and _is_name(before.text, known=True):
            yield _subsidiary(before.text, cell.text, text[before.start : cell.end])
        before = None


def _alone(text: str, cell: Cell) -> Iterator[Subsidiary]:
    """A line without cells, with the place in brackets or none."""
    bracketed = _BRACKETED.match(_NOTE.sub("", cell.text))
    if bracketed and _country(bracketed["place"]) and _is_name(bracketed["name"], known=True):
        yield _subsidiary(bracketed["name"], bracketed["place"], text[cell.start : cell.end])
    elif _is_name(cell.text, known=False):
        yield _subsidiary(cell.text, None, text[cell.start : cell.end])


def _split_leaders(cell: Cell) -> list[Cell]:
    """The parts of "Name ........ Delaware"."""
    parts: list[Cell] = []
    at = 0
    for found in [*_LEADERS.finditer(cell.text), None]:
        end = found.start() if found else len(cell.text)
        piece = cell.text[at:end]
        if piece.strip():
            parts.append(Cell(piece.strip(), cell.start + at, cell.start + end, cell.line))
        at = found.end() if found else end
    return parts


def _subsidiary(name: str, place: str | None, quote: str) -> Subsidiary:
    clean = _NOTE.sub("", name).strip(" ,;")
    where = _NOTE.sub("", place).strip(" ,;()") if place else None
    return Subsidiary(tidy_name(clean), where, _country(where) if where else None, quote.strip())


def _is_name(text: str, *, known: bool) -> bool:
    clean = _NOTE.sub("", text).strip()
    if not 3 <= len(clean) <= _LONGEST_NAME or not any(letter.isalpha() for letter in clean):
        return False
    if clean.endswith((".", ":")) and len(clean.split()) > 9:
        return False
    if _HEADING.search(clean) and not is_organization_name(_HEADING.sub("", clean)):
        return False
    if known:
        return _country(clean) is None or is_organization_name(clean)
    return is_organization_name(clean) and clean[0].isupper() and len(clean.split()) <= 9


def _country(text: str) -> str | None:
    """The country of a jurisdiction: a state, a province, a country, "Russia/Kazakhstan" by its first."""
    clean = _NOTE.sub("", text).strip(" .,;()")
    if not 2 <= len(clean) <= 50:
        return None
    for part in (
        clean,
        _STRUCTURES.sub("", clean).strip(" ,"),
        re.split(r"[/,(]", clean)[0].strip(),
    ):
        if len(part) < 2:
            continue
        if (state := state_from_text(part)) is not None:
            return state.country_code
        if (nation := country_from_text(part)) is not None and not part.isdigit():
            return nation.alpha2
    return _OTHERS.get(fold(clean))


_OTHERS = {
    "england and wales": "GB", "england": "GB", "scotland": "GB", "wales": "GB",
    "northern ireland": "GB", "england wales": "GB", "british virgin islands": "VG", "bvi": "VG",
    "prc": "CN", "people s republic of china": "CN", "korea": "KR", "republic of korea": "KR",
    "dubai": "AE", "abu dhabi": "AE", "uae": "AE", "difc": "AE", "new south wales": "AU",
    "victoria": "AU", "the netherlands": "NL", "holland": "NL", "channel islands": "JE",
    "virgin islands": "VG", "labuan": "MY", "russia": "RU", "nova scotia": "CA", "macao": "MO",
    "macau": "MO", "federal": "US", "us federal": "US", "national association": "US",
}  # fmt: skip
