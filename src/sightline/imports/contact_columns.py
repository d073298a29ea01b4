"""The columns of a list of people."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from sightline.domain.contacts import read_company_page, read_email, read_profile_url
from sightline.imports import shapes, vocabulary
from sightline.imports.fields import ColumnMapping, Guess
from sightline.imports.headers import header_meanings
from sightline.imports.mapping import Rules, guess_columns, worth_of
from sightline.imports.profiles import Column
from sightline.imports.rows import FileHasNoPeople, Row

_LEAST_FITNESS = 0.3
_PAGES = frozenset({"profile_network_url", "company_page", "company_domain"})
_PHONE = re.compile(r"'?\+?[\d\s().\-/]{7,}(?:\s*(?:x|ext\.?)\s*\d+)?", re.IGNORECASE)
# Lists inside a record that hold what the record itself is known by.
_OWN_LISTS = ("email", "phone", "skill")


def guess_contact_mapping(
    names: Iterable[str], rows: Sequence[Row], *, overrides: Mapping[str, str] | None = None
) -> ColumnMapping:
    """Map columns to fields; see `guess_columns`. Raises FileHasNoPeople."""
    return guess_columns(_RULES, names, rows, overrides=overrides)[0]


def judge_contacts(rows: Sequence[Row]) -> float:
    """How much records look like people."""
    return worth_of(_RULES, rows)


def _claims(column: Column) -> list[Guess]:
    field, sure = _meaning(column.name)
    told = _told_by_values(column, named=field is not None)
    if told is not None and (field is None or told in _PAGES or field in _PAGES):
        return [Guess(column.name, told, 0.8, "the form of its values", column.samples)]
    if field is None:
        return []
    fitness = _fitness(field, column)
    if fitness < _LEAST_FITNESS:
        return []
    confidence = round(sure * (0.5 + 0.5 * fitness), 2)
    return [Guess(column.name, field, confidence, f"header {column.name!r}", column.samples)]


def _meaning(header: str) -> tuple[str | None, float]:
    """The field that a header names, and how surely."""
    levels = [level for level in header.split(".") if level]
    if any(level.endswith("[]") for level in levels[:-1]) and not any(
        own in levels[0].lower() for own in _OWN_LISTS
    ):
        return None, 0.0  # of a list inside the record, such as earlier jobs
    return next(iter(header_meanings(header, "contacts")), (None, 0.0))


def _told_by_values(column: Column, *, named: bool) -> str | None:
    if not column.values or "[]." in column.name:
        return None
    if column.share(lambda text: read_profile_url(text) is not None) >= 0.6:
        return "profile_network_url"
    if column.share(lambda text: read_company_page(text) is not None) >= 0.6:
        return "company_page"
    nameless = column.name.startswith("column ") or not any(map(str.isalpha, column.name))
    if nameless and not named and column.share(lambda text: read_email(text) is not None) >= 0.6:
        return "emails"
    return None


def _fitness(field: str, column: Column) -> float:
    if not column.values:
        return 0.8
    check = _CHECKS.get(field)
    return check(column) if check else 1.0


def _is_words(column: Column) -> float:
    bad = (
        column.share(shapes.is_email) + column.share(shapes.is_url) + column.share(shapes.is_number)
    )
    return 1.0 - min(1.0, bad)


_CHECKS: dict[str, Callable[[Column], float]] = {
    **dict.fromkeys(
        ("full_name", "first_name", "last_name", "current_job_title", "company_name", "city", "state"),
        _is_words,
    ),
    "emails": lambda column: column.share(lambda text: "@" in text),
    "phones": lambda column: column.share(lambda text: bool(_PHONE.match(text.strip()))),
    "company_domain": lambda column: column.share(shapes.is_web_address),
    "profile_network_url": lambda column: column.share(
        lambda text: read_profile_url(text) is not None
    ),
    "image_url": lambda column: column.share(shapes.is_url),
    "country": lambda column: column.share(lambda text: vocabulary.country(text) is not None),
}  # fmt: skip

_RULES = Rules(
    "contacts",
    _claims,
    lambda _columns, _held: [],
    frozenset({"full_name", "last_name", "emails", "profile_network_url"}),
    FileHasNoPeople,
)
