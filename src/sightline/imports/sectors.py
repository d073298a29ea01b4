"""Industry and sector of a row, from words and codes."""

from collections.abc import Iterator

from sightline.domain.industries import (
    Industry,
    industry_from_naics,
    industry_from_sic,
    industry_from_text,
    sector_from_naics,
    sector_from_sic,
    sector_from_text,
)
from sightline.imports.account_row import Value
from sightline.imports.cells import RowCells

_INDUSTRY_OF = {"sic": industry_from_sic, "naics": industry_from_naics}
_SECTOR_OF = {"sic": sector_from_sic, "naics": sector_from_naics}


def industry_values(cells: RowCells) -> dict[str, Value]:
    """Industry and sector by our names. Words come before codes, SIC before NAICS, and an industry
    decides its sector; words in neither vocabulary are noted."""
    found = _from_words(cells) or _from_codes(cells)
    if found:
        return {"industry": found.name, "sector": found.sector}
    for column, text in cells.texts("sector"):
        sector = sector_from_text(text)
        if sector:
            return {"sector": sector}
        cells.unknown(column, text)
    sector = _sector_word(cells) or _sector_of_code(cells)
    return {"sector": sector} if sector else {}


def _from_words(cells: RowCells) -> Industry | None:
    missed: list[tuple[str, str]] = []
    for column, text in cells.texts("industry"):
        for words in _readings(text):
            found = industry_from_text(words)
            if found is not None:
                return found
        missed.append((column, text))
    for column, text in missed:
        if sector_from_text(text) is None:
            cells.unknown(column, text)
    return None


def _readings(text: str) -> Iterator[str]:
    """The text, then its parts between commas."""
    yield text
    if "," in text:
        yield from (part.strip() for part in text.split(",") if part.strip())


def _from_codes(cells: RowCells) -> Industry | None:
    codes = ((system, text) for system in _INDUSTRY_OF for _, text in cells.texts(system))
    found = (_INDUSTRY_OF[system](text) for system, text in codes)
    return next((industry for industry in found if industry), None)


def _sector_word(cells: RowCells) -> str | None:
    words = (sector_from_text(text) for _, text in cells.texts("industry"))
    return next((sector for sector in words if sector), None)


def _sector_of_code(cells: RowCells) -> str | None:
    codes = ((system, text) for system in _INDUSTRY_OF for _, text in cells.texts(system))
    found = (_SECTOR_OF[system](text) for system, text in codes)
    return next((sector for sector in found if sector), None)
