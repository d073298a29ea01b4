"""Guesses which column of a list has which field, from headers and values together; shown before use."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from sightline.domain.names import fold
from sightline.imports import shapes
from sightline.imports.checks import fit, page_of_person
from sightline.imports.fields import (
    ColumnDoesNotExist,
    ColumnMapping,
    Fields,
    Guess,
    Kind,
    fields_of,
)
from sightline.imports.headers import header_meanings
from sightline.imports.profiles import Column, columns_of
from sightline.imports.rows import FileHasNoCompanies, FileHasNoPeople, Row
from sightline.imports.values import from_values

_LEAST_CONFIDENCE = 0.4
_LEAST_OF_A_FALLBACK = 0.45
_FURTHER_NAMES = frozenset({"legal", "registered", "trade", "trading", "dba", "brand"})
_PAGES = frozenset({"profile_network_url", "company_page", "company_domain"})
# Lists inside a record of a person that hold what the person is known by.
_OWN_LISTS = ("email", "phone", "skill")
_PAGE_COLUMNS = frozenset(
    {"url", "link", "permalink", "profile url", "profile", "source url", "page"}
)
_SYSTEMS = ("salesforce", "hubspot", "zoominfo", "crunchbase", "pipedrive", "dynamics", "zoho")
# A list without a column of one of these fields is none of the kind.
_NEEDED: Mapping[Kind, frozenset[str]] = {
    "accounts": frozenset({"company_name", "website"}),
    "contacts": frozenset({"full_name", "last_name", "emails", "profile_network_url"}),
}
_REFUSALS = {
    "accounts": (FileHasNoCompanies, "can serve as a company name or website"),
    "contacts": (FileHasNoPeople, "contains people's names or email addresses"),
}


def guess_mapping(
    names: Iterable[str],
    rows: Sequence[Row],
    *,
    kind: Kind = "accounts",
    overrides: Mapping[str, str] | None = None,
    file_stem: str = "",
    source_system: str | None = None,
) -> ColumnMapping:
    """The mapping of columns to fields, from their names and a sample of rows.

    `overrides` are column -> field name, "" to ignore the column. `file_stem` names the system of ids
    where nothing else does. Raises FileHasNoCompanies or FileHasNoPeople when no column says who a row is
    about, ColumnDoesNotExist or FieldDoesNotExist for a wrong override.
    """
    columns = columns_of(dict.fromkeys([*names, *(n for row in rows for n in row.cells)]), rows)
    given = _given(fields_of(kind), columns, overrides)
    free = [column for column in columns if column.name not in given]
    named = list(filter(None, given.values()))
    guesses = named + _chosen(kind, free, {guess.field for guess in named})
    if not _NEEDED[kind] & {guess.field for guess in guesses}:
        refusal, needed = _REFUSALS[kind]
        raise refusal(f"No column {needed}. Columns found: {_listed(columns)}.")
    of = {guess.column: guess for guess in guesses}
    rest = [column for column in columns if column.name not in of]
    return ColumnMapping(
        tuple(of[column.name] for column in columns if column.name in of),
        tuple((column.name, _why_ignored(kind, column, given, guesses)) for column in rest),
        source_system or _source_system(columns, guesses, file_stem),
    )


def judge(rows: Sequence[Row], kind: Kind = "accounts") -> float:
    """How much records look like those of the kind: the confidences of all fields found, 0 where none says
    who they are about. A lone column called "name" is no sign of companies among other nested lists."""
    columns = columns_of(dict.fromkeys(name for row in rows for name in row.cells), rows)
    guesses = [guess for guess in _chosen(kind, columns, set()) if guess.rank == 0]
    if not _NEEDED[kind] & {guess.field for guess in guesses}:
        return 0.0
    return sum(guess.confidence for guess in guesses)


def _given(
    fields: Fields, columns: Sequence[Column], overrides: Mapping[str, str] | None
) -> dict[str, Guess | None]:
    by_name = {column.name.casefold(): column for column in columns}
    given: dict[str, Guess | None] = {}
    ranks: dict[str, int] = {}
    for name, field_name in (overrides or {}).items():
        column = by_name.get(name.strip().casefold())
        if column is None:
            known = ", ".join(column.name for column in columns)
            raise ColumnDoesNotExist(f"There is no column {name!r}; the file has: {known}.")
        given[column.name] = None
        if field_name.strip():
            field = fields.named(field_name)
            rank = ranks.get(field, 0)
            ranks[field] = rank if field in fields.collected else rank + 1
            given[column.name] = Guess(
                column.name, field, 1.0, "given by --map", column.samples, rank
            )
    return given


def _chosen(kind: Kind, columns: Sequence[Column], ruled: set[str]) -> list[Guess]:
    """Best claims first; a field goes to one column, further ones may stand behind it. Fields that a
    person `ruled` on take no more columns unless all of theirs count together."""
    fields = fields_of(kind)
    claims = [claim for column in columns for claim in _claims(kind, column)]
    held: dict[str, int] = {}
    chosen: dict[str, Guess] = {}
    for claim in sorted(claims, key=lambda claim: -claim.confidence):
        field, rank = claim.field, held.get(claim.field, 0)
        if claim.column in chosen:
            continue
        if field in fields.collected:  # they count together, in the order of the file
            held[field] = 1
            chosen[claim.column] = claim
            continue
        sure = field in fields.fallback and claim.confidence >= _LEAST_OF_A_FALLBACK
        if field in ruled or (rank and not sure):
            continue
        held[field] = rank + 1
        reason = f"fallback; {claim.reason}" if rank else claim.reason
        chosen[claim.column] = replace(claim, reason=reason, rank=rank)
    rest = [column for column in columns if column.name not in chosen]
    return [*chosen.values(), *_further(kind, rest, set(held) | ruled)]


def _claims(kind: Kind, column: Column) -> list[Guess]:
    """The fields that a column may hold."""
    meanings = _meanings(kind, column.name)
    if kind == "contacts":
        page = page_of_person(column, named=bool(meanings))
        if page and (not meanings or _PAGES & {page, meanings[0][0]}):
            return [Guess(column.name, page, 0.8, "the format of its values", column.samples)]
    claims = []
    for field, confidence in meanings:
        fitness, says = fit(kind, field, column)
        sure = round(confidence * (0.4 + 0.6 * fitness), 2)
        if fitness and sure >= _LEAST_CONFIDENCE:
            reason = f"header {column.name.rsplit('.', 1)[-1]!r}, {says}"
            claims.append(Guess(column.name, field, sure, reason, column.samples))
        elif field == "company_name" and column.share(shapes.is_web_address) >= 0.8:
            reason = "header of a name, but the values are web addresses"
            claims.append(Guess(column.name, "website", 0.8, reason, column.samples))
    return claims


def _meanings(kind: Kind, header: str) -> Sequence[tuple[str, float]]:
    """What a header says; of a list of things inside the record only what is about the record itself."""
    meanings = header_meanings(header, kind)
    if kind == "contacts":
        levels = [level for level in header.split(".") if level]
        nested = any(level.endswith("[]") for level in levels[:-1])
        is_own = not nested or any(own in levels[0].lower() for own in _OWN_LISTS)
        return meanings[:1] if is_own else ()
    collected = fields_of(kind).collected
    return [each for each in meanings if "[]." not in header or each[0] in collected]


def _further(kind: Kind, columns: Sequence[Column], held: set[str]) -> list[Guess]:
    """Of a company, legal and trade names beside the chosen name are its alternatives; other columns go
    by values."""
    if kind == "contacts":
        return []
    names = [] if "alternative_names" in held else [c for c in columns if _is_further_name(c)]
    rest = [column for column in columns if column not in names]
    return [
        Guess(c.name, "alternative_names", 0.7, "another name of the company", c.samples)
        for c in names
    ] + from_values(rest, held)


def _is_further_name(column: Column) -> bool:
    return bool(
        not _FURTHER_NAMES.isdisjoint(fold(column.name).split())
        and any(field == "company_name" for field, _ in header_meanings(column.name))
        and fit("accounts", "company_name", column)[0] > 0.5
    )


def _why_ignored(
    kind: Kind, column: Column, given: Mapping[str, Guess | None], guesses: Sequence[Guess]
) -> str:
    if column.name in given:
        return "ignored on request"
    for field, _ in header_meanings(column.name, kind):
        better = next((g for g in guesses if g.field == field and g.rank == 0), None)
        if better is not None:
            return f"{field} comes from {better.column!r}"
        return f"the values do not fit {field}"
    return "no matching field" if column.values else "empty"


def _listed(columns: Sequence[Column]) -> str:
    more = f" and {len(columns) - 40} more" if len(columns) > 40 else ""
    return ", ".join(repr(column.name) for column in columns[:40]) + more


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
