"""Which column holds which field: guessed from headers and values together, shown before use."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

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
from sightline.imports.rows import FileIsNotReadable, Row

_LEAST_OF_A_FALLBACK = 0.45


@dataclass(frozen=True)
class Rules:
    """How the columns of one kind of list are told.

    `claims` are the fields that a column may hold, `further` guesses about columns that no claim won,
    given those columns and the fields that have one. A file without a column of `needed` is none.
    """

    kind: Kind
    claims: Callable[[Column], Iterable[Guess]]
    further: Callable[[Sequence[Column], set[str]], list[Guess]]
    needed: frozenset[str]
    refusal: type[FileIsNotReadable]

    @property
    def fields(self) -> Fields:
        """What the columns may be."""
        return fields_of(self.kind)


def guess_columns(
    rules: Rules,
    names: Iterable[str],
    rows: Sequence[Row],
    *,
    overrides: Mapping[str, str] | None = None,
) -> tuple[ColumnMapping, list[Column]]:
    """The mapping of columns to fields, from their names and a sample of rows; and the columns.

    `overrides` are column -> field name, "" to ignore the column. Raises the refusal of the rules when
    no needed field is among the columns, ColumnDoesNotExist or FieldDoesNotExist for a wrong override.
    """
    columns = columns_of(dict.fromkeys([*names, *(n for row in rows for n in row.cells)]), rows)
    given = _given(rules.fields, columns, overrides or {})
    free = [column for column in columns if column.name not in given]
    ruled = {guess.field for guess in given.values() if guess is not None}
    guesses = [g for g in given.values() if g is not None] + _chosen(rules, free, ruled)
    if not rules.needed & {guess.field for guess in guesses}:
        raise rules.refusal(_refused(rules, columns))
    # Those that count together do so in the order of the file.
    collected = rules.fields.collected
    guesses = [replace(g, rank=0) if g.field in collected else g for g in guesses]
    taken = {guess.column for guess in guesses}
    order = {column.name: index for index, column in enumerate(columns)}
    mapping = ColumnMapping(
        tuple(sorted(guesses, key=lambda guess: order[guess.column])),
        tuple(
            (c.name, _why_ignored(rules.kind, c, given, guesses))
            for c in columns
            if c.name not in taken
        ),
    )
    return mapping, columns


def worth_of(rules: Rules, rows: Sequence[Row]) -> float:
    """How much records look like those of the list: the confidences of all fields found, 0 without a
    needed one. A lone column called "name" is no sign of companies among other nested lists."""
    columns = columns_of(dict.fromkeys(name for row in rows for name in row.cells), rows)
    guesses = [guess for guess in _chosen(rules, columns, set()) if guess.rank == 0]
    if not rules.needed & {guess.field for guess in guesses}:
        return 0.0
    return sum(guess.confidence for guess in guesses)


def _given(
    fields: Fields, columns: Sequence[Column], overrides: Mapping[str, str]
) -> dict[str, Guess | None]:
    by_name = {column.name.casefold(): column for column in columns}
    given: dict[str, Guess | None] = {}
    ranks: dict[str, int] = {}
    for name, field_name in overrides.items():
        column = by_name.get(name.strip().casefold())
        if column is None:
            known = ", ".join(column.name for column in columns)
            raise ColumnDoesNotExist(f"There is no column {name!r}; the file has: {known}.")
        given[column.name] = None
        if field_name.strip():
            field = fields.named(field_name)
            rank = ranks.get(field, 0)
            ranks[field] = rank + 1
            given[column.name] = Guess(
                column.name, field, 1.0, "given by --map", column.samples, rank
            )
    return given


def _chosen(rules: Rules, columns: Sequence[Column], ruled: set[str]) -> list[Guess]:
    """Best claims first; a field goes to one column, further ones may stand behind it."""
    fields = rules.fields
    claims = sorted(
        (claim for column in columns for claim in rules.claims(column)),
        key=lambda claim: -claim.confidence,
    )
    held: dict[str, int] = {}
    used: set[str] = set()
    chosen: list[Guess] = []
    for claim in claims:
        rank, field = held.get(claim.field, 0), claim.field
        if claim.column in used or (field in ruled and field not in fields.collected):
            continue
        if rank and field not in fields.fallback | fields.collected:
            continue
        if rank and field in fields.fallback and claim.confidence < _LEAST_OF_A_FALLBACK:
            continue
        held[field] = rank + 1
        used.add(claim.column)
        behind = f"fallback; {claim.reason}" if rank and field in fields.fallback else claim.reason
        chosen.append(replace(claim, reason=behind, rank=rank))
    return chosen + rules.further([c for c in columns if c.name not in used], set(held) | ruled)


def _why_ignored(
    kind: Kind, column: Column, given: Mapping[str, Guess | None], guesses: Sequence[Guess]
) -> str:
    if column.name in given:
        return "ignored on request"
    for field, _ in header_meanings(column.name, kind):
        better = next((g for g in guesses if g.field == field and g.rank == 0), None)
        if better is not None:
            return f"{field} is taken from {better.column!r}"
        return f"the values do not fit {field}"
    return "no matching field" if column.values else "empty"


def _refused(rules: Rules, columns: Sequence[Column]) -> str:
    names = ", ".join(repr(column.name) for column in columns[:40])
    more = f" and {len(columns) - 40} more" if len(columns) > 40 else ""
    what = (
        "can serve as a company name or website"
        if rules.kind == "accounts"
        else "holds people's names or e-mail addresses"
    )
    return f"No column {what}. Columns found: {names}{more}."
