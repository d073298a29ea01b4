"""The columns of a list of companies, and whose ids its id column holds."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from sightline.domain.names import fold
from sightline.imports import shapes
from sightline.imports.checks import fit
from sightline.imports.fields import ColumnMapping, Guess, fields_of
from sightline.imports.headers import header_meanings
from sightline.imports.mapping import Rules, guess_columns, worth_of
from sightline.imports.profiles import Column
from sightline.imports.rows import FileHasNoCompanies, Row
from sightline.imports.values import from_values

_LEAST_CONFIDENCE = 0.4
_FURTHER_NAME = re.compile(r"\b(?:legal|registered|trade|trading|dba|brand)\b")
_PAGE_COLUMNS = frozenset(
    {"url", "link", "permalink", "profile url", "profile", "source url", "page"}
)
_SYSTEMS = ("salesforce", "hubspot", "zoominfo", "crunchbase", "pipedrive", "dynamics", "zoho")


def guess_mapping(
    names: Iterable[str],
    rows: Sequence[Row],
    *,
    overrides: Mapping[str, str] | None = None,
    file_stem: str = "",
    source_system: str | None = None,
) -> ColumnMapping:
    """Map columns to fields; see `guess_columns`. Raises FileHasNoCompanies."""
    mapping, columns = guess_columns(_RULES, names, rows, overrides=overrides)
    system = source_system or _source_system(columns, mapping.guesses, file_stem)
    return replace(mapping, source_system=system)


def judge(rows: Sequence[Row]) -> float:
    """How much records look like companies."""
    return worth_of(_RULES, rows)


def _claims(column: Column) -> list[Guess]:
    claims = []
    for field, confidence in header_meanings(column.name):
        if "[]." in column.name and field not in fields_of("accounts").collected:
            continue  # of a list of things inside a record: not about the record itself
        fitness, says = fit(field, column)
        sure = round(confidence * (0.4 + 0.6 * fitness), 2)
        if fitness and sure >= _LEAST_CONFIDENCE:
            reason = f"header {column.name.rsplit('.', 1)[-1]!r}, {says}"
            claims.append(Guess(column.name, field, sure, reason, column.samples))
        elif field == "company_name" and column.share(shapes.is_web_address) >= 0.8:
            reason = "header of a name, but the values are web addresses"
            claims.append(Guess(column.name, "website", 0.8, reason, column.samples))
    return claims


def _further(columns: Sequence[Column], held: set[str]) -> list[Guess]:
    """Legal and trade names beside the chosen name are its alternatives; other columns go by values."""
    names = [] if "alternative_names" in held else [c for c in columns if _is_further_name(c)]
    rest = [column for column in columns if column not in names]
    return [
        Guess(c.name, "alternative_names", 0.7, "a further name of the company", c.samples)
        for c in names
    ] + from_values(rest, held)


def _is_further_name(column: Column) -> bool:
    return bool(
        _FURTHER_NAME.search(fold(column.name))
        and any(field == "company_name" for field, _ in header_meanings(column.name))
        and fit("company_name", column)[0] > 0.5
    )


_RULES = Rules(
    "accounts", _claims, _further, frozenset({"company_name", "website"}), FileHasNoCompanies
)


def _source_system(
    columns: Sequence[Column], guesses: Sequence[Guess], file_stem: str
) -> str | None:
    """Whose ids the id column holds: seen from the ids, the headers, the pages linked, or the file."""
    ids = next((guess.column for guess in guesses if guess.field == "external_id"), None)
    if ids is None:
        return None
    id_column = next(column for column in columns if column.name == ids)
    if id_column.share(shapes.is_salesforce_id) >= 0.8:
        return "salesforce"
    words = " ".join(fold(column.name) for column in columns)
    for system in _SYSTEMS:
        if system in words:
            return system
    if "hs object id" in words:
        return "hubspot"
    hosts = {_page_host(column) for column in columns} - {None}
    if len(hosts) == 1:
        return hosts.pop()
    return fold(file_stem).replace(" ", "-") or None


def _page_host(column: Column) -> str | None:
    """The one site all pages of a column are on: the publisher of the list."""
    if fold(column.name.rsplit(".", 1)[-1]) not in _PAGE_COLUMNS or "[]" in column.name:
        return None
    hosts = {_host(value) for value in column.values}
    several = len(column.values) == 1 or column.distinct > 0.5
    return hosts.pop() if len(hosts) == 1 and several else None


def _host(url: str) -> str | None:
    address = shapes.website(url).website
    return urlsplit(address).netloc.removeprefix("www.") if address else None
