"""Exhibit 21: a registrant's subsidiaries, with their jurisdictions."""

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
# Words of headings and notes, which name the registrant too.
_HEADING = ("subsidiar", "jurisdiction", "incorporat", "organized under", "exhibit", "registrant")
_STATES = ("state of ", "commonwealth of ", "province of ")
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
    """A line without cells, with the place in brackets, behind dots, or none."""
    quote = text[cell.start : cell.end]
    name, _, place = _NOTE.sub("", cell.text).rstrip(")").rpartition("(")
    if not name:
        name, _, place = cell.text.rpartition("...")
        name = name.rstrip(" .")
    if _country(place) and _is_name(name, known=True):
        yield _subsidiary(name, place, quote)
    elif _is_name(cell.text, known=False):
        yield _subsidiary(cell.text, None, quote)


def _subsidiary(name: str, place: str | None, quote: str) -> Subsidiary:
    clean = _NOTE.sub("", name).strip(" ,;")
    where = _NOTE.sub("", place).strip(" ,;()") if place else None
    return Subsidiary(tidy_name(clean), where, _country(where) if where else None, quote.strip())


def _is_name(text: str, *, known: bool) -> bool:
    clean = _NOTE.sub("", text).strip()
    words = clean.split()
    if not 3 <= len(clean) <= _LONGEST_NAME or not any(map(str.isalpha, clean)):
        return False
    if clean.endswith((".", ":")) and len(words) > 9:
        return False
    if is_organization_name(clean):
        return known or (clean[0].isupper() and len(words) <= 9)
    return known and not any(w in clean.lower() for w in _HEADING) and _country(clean) is None


def _country(text: str) -> str | None:
    """The country of a jurisdiction: a state, a province, a country, "Russia/Kazakhstan" by its first."""
    clean = _NOTE.sub("", text).strip(" .,;()")
    if not 2 <= len(clean) <= 50 or clean[0].isdigit():
        return None
    for part in (clean, re.split(r"[/,(]", clean)[0].strip()):
        plain = part.lower().removeprefix("the ")
        plain = next((plain.removeprefix(s) for s in _STATES if plain.startswith(s)), part)
        if (state := state_from_text(plain)) is not None:
            return state.country_code
        if (nation := country_from_text(plain)) is not None:
            return nation.alpha2
    return None
