"""Which column holds which field: guessed from headers and values together, shown before use."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from sightline.domain.names import fold
from sightline.imports import shapes
from sightline.imports.checks import fit
from sightline.imports.fields import (
    COLLECTED,
    WITH_FALLBACK,
    FieldDoesNotExist,
    FieldName,
    Guess,
    field_named,
)
from sightline.imports.headers import header_meanings
from sightline.imports.profiles import Column, columns_of
from sightline.imports.rows import FileHasNoCompanies, Row
from sightline.imports.values import from_values

_LEAST_CONFIDENCE = 0.4
_FURTHER_NAME = re.compile(r"\b(?:legal|registered|trade|trading|dba|brand)\b")
_PAGE_COLUMNS = frozenset(
    {"url", "link", "permalink", "profile url", "profile", "source url", "page"}
)
_SYSTEMS = ("salesforce", "hubspot", "zoominfo", "crunchbase", "pipedrive", "dynamics", "zoho")


class ColumnDoesNotExist(Exception):
    """--map names a column that the file does not have."""


@dataclass(frozen=True)
class ColumnMapping:
    """The guesses in the order of the file's columns, and why each other column is not used."""

    guesses: tuple[Guess, ...]
    ignored: tuple[tuple[str, str], ...]  # (column, reason)
    source_system: str | None

    def of(self, field: FieldName) -> tuple[Guess, ...]:
        """The columns of a field, first choice first."""
        return tuple(sorted((g for g in self.guesses if g.field == field), key=lambda g: g.rank))

    def names(self) -> dict[str, list[str]]:
        """Field -> columns, first choice first: what makes two imports of a file the same."""
        fields = sorted({guess.field for guess in self.guesses})
        return {field: [guess.column for guess in self.of(field)] for field in fields}


def guess_mapping(
    names: Iterable[str],
    rows: Sequence[Row],
    *,
    overrides: Mapping[str, str] | None = None,
    file_stem: str = "",
    source_system: str | None = None,
) -> ColumnMapping:
    """Map columns to fields from their names and a sample of rows.

    `overrides` are column -> field name, "" to ignore the column. Raises FileHasNoCompanies when
    neither a name nor a website is among the columns, ColumnDoesNotExist or FieldDoesNotExist for a
    wrong override.
    """
    seen = dict.fromkeys([*names, *(name for row in rows for name in row.cells)])
    columns = columns_of(seen, rows)
    given = _given(columns, overrides or {})
    free = [column for column in columns if column.name not in given]
    ruled = {guess.field for guess in given.values() if guess is not None}
    guesses = [g for g in given.values() if g is not None] + _chosen(free, ruled)
    if not any(guess.field in {"company_name", "website"} for guess in guesses):
        raise FileHasNoCompanies(_no_companies(columns))
    taken = {guess.column for guess in guesses}
    order = {column.name: index for index, column in enumerate(columns)}
    return ColumnMapping(
        tuple(sorted(guesses, key=lambda guess: order[guess.column])),
        tuple((c.name, _why_ignored(c, given, guesses)) for c in columns if c.name not in taken),
        source_system or _source_system(columns, guesses, file_stem),
    )


def judge(rows: Sequence[Row]) -> float:
    """How much records look like companies: the confidences of all fields found, 0 without a name or
    website. A lone column called "name" is no sign of companies among other nested lists."""
    columns = columns_of(dict.fromkeys(name for row in rows for name in row.cells), rows)
    guesses = [guess for guess in _chosen(columns, set()) if guess.rank == 0]
    if not any(guess.field in {"company_name", "website"} for guess in guesses):
        return 0.0
    return sum(guess.confidence for guess in guesses)


def _given(columns: Sequence[Column], overrides: Mapping[str, str]) -> dict[str, Guess | None]:
    by_name = {column.name.casefold(): column for column in columns}
    given: dict[str, Guess | None] = {}
    ranks: dict[FieldName, int] = {}
    for name, field_name in overrides.items():
        column = by_name.get(name.strip().casefold())
        if column is None:
            known = ", ".join(column.name for column in columns)
            raise ColumnDoesNotExist(f"There is no column {name!r}; the file has: {known}.")
        if not field_name.strip():
            given[column.name] = None
            continue
        field = field_named(field_name)
        rank = ranks.get(field, 0)
        ranks[field] = rank + 1
        given[column.name] = Guess(column.name, field, 1.0, "given by --map", column.samples, rank)
    return given


def _chosen(columns: Sequence[Column], ruled: set[FieldName]) -> list[Guess]:
    """Best claims first; a field goes to one column, further ones may stand behind it."""
    claims = [claim for column in columns for claim in _claims(column)]
    claims.sort(key=lambda claim: -claim.confidence)
    held: dict[FieldName, int] = {}
    used: set[str] = set()
    chosen: list[Guess] = []
    for claim in claims:
        rank = held.get(claim.field, 0)
        shared = claim.field in WITH_FALLBACK | COLLECTED
        if claim.column in used or claim.field in ruled or (rank and not shared):
            continue
        if rank and claim.field in WITH_FALLBACK and claim.confidence < 0.45:
            continue
        held[claim.field] = rank + 1
        used.add(claim.column)
        reason = (
            claim.reason if not rank or claim.field in COLLECTED else f"fallback; {claim.reason}"
        )
        chosen.append(
            Guess(claim.column, claim.field, claim.confidence, reason, claim.samples, rank)
        )
    chosen += _further_names(columns, used, ruled)
    used |= {guess.column for guess in chosen}
    chosen += from_values([c for c in columns if c.name not in used], set(held) | ruled)
    return chosen


def _claims(column: Column) -> list[Guess]:
    claims = []
    for field, confidence in header_meanings(column.name):
        if "[]." in column.name and field not in COLLECTED:
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


def _further_names(columns: Sequence[Column], used: set[str], ruled: set[FieldName]) -> list[Guess]:
    """Legal and trade names beside the chosen name are its alternatives."""
    if "alternative_names" in ruled:
        return []
    return [
        Guess(c.name, "alternative_names", 0.7, "a further name of the company", c.samples)
        for c in columns
        if c.name not in used
        and _FURTHER_NAME.search(fold(c.name))
        and any(field == "company_name" for field, _ in header_meanings(c.name))
        and fit("company_name", c)[0] > 0.5
    ]


def _why_ignored(
    column: Column, given: Mapping[str, Guess | None], guesses: Sequence[Guess]
) -> str:
    if column.name in given:
        return "ignored by --map"
    for field, _ in header_meanings(column.name):
        better = next((g for g in guesses if g.field == field and g.rank == 0), None)
        if better is not None:
            return f"{field} is taken from {better.column!r}"
        return f"the values do not fit {field}"
    return "no field of ours" if column.values else "empty"


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


def _no_companies(columns: Sequence[Column]) -> str:
    names = ", ".join(repr(column.name) for column in columns[:40])
    more = f" and {len(columns) - 40} more" if len(columns) > 40 else ""
    return f"No column can serve as a company name or website. Columns found: {names}{more}."


def parse_overrides(pairs: Iterable[str]) -> dict[str, str]:
    """`column=field` pairs of the command line; the last "=" parts them, for headers that hold one."""
    overrides: dict[str, str] = {}
    for pair in pairs:
        column, equals, field = pair.rpartition("=")
        if not equals or not column.strip():
            raise FieldDoesNotExist(f"{pair!r} is not of the form COLUMN=FIELD.")
        if field.strip():
            field_named(field)
        overrides[column.strip()] = field.strip()
    return overrides
