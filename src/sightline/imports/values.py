"""Guesses a field from values alone, for columns whose name says nothing."""

from collections.abc import Sequence
from typing import Protocol

from sightline.domain.bands import revenue_band_from_text
from sightline.domain.places import split_place
from sightline.imports import shapes, vocabulary
from sightline.imports.checks import fit
from sightline.imports.fields import Guess
from sightline.imports.profiles import Column

_TEXT_ONLY = "value"


class _Take(Protocol):
    """Claims a column for a field, unless one of them is taken; tells whether it was free."""

    def __call__(self, column: Column, field: str, confidence: float, reason: str) -> bool: ...


def from_values(columns: Sequence[Column], held: set[str]) -> list[Guess]:
    """Fields of columns that their values give away; `held` are fields that have a column already.

    Names, places and words are taken from values only where the file has no column names at all:
    elsewhere a header that we do not know means that the column is something else.
    """
    found: list[Guess] = []
    fields = set(held)

    def take(column: Column, field: str, confidence: float, reason: str) -> bool:
        if field in fields or any(guess.column == column.name for guess in found):
            return False
        fields.add(field)
        found.append(Guess(column.name, field, confidence, reason, column.samples))
        return True

    for column in columns:
        _by_form(column, take)
    nameless = [column for column in columns if is_nameless(column.name)]
    for column in nameless:
        _by_words(column, take)
    _industries(nameless, take)
    _names(nameless, take)
    return found


def is_nameless(name: str) -> bool:
    """Whether a column got its name from us."""
    return name == _TEXT_ONLY or (name.startswith("column ") and name[7:].isdigit())


def _by_form(column: Column, take: _Take) -> None:
    if len(column.values) < (1 if is_nameless(column.name) else 3) or column.is_list:
        return
    if column.share(shapes.is_salesforce_id) >= 0.9 and column.distinct >= 0.95:
        take(column, "external_id", 0.9, "the values are Salesforce account ids")
    if column.share(shapes.is_network_page) >= 0.8:
        take(column, "profile_network_url", 0.9, "the values are pages on the professional network")
    domains = [d for value in column.values if (d := shapes.website(value).domain)]
    addressed = column.share(shapes.is_web_address)
    own = len(domains) / len(column.values)
    if addressed >= 0.7 and own >= 0.6 and len(set(domains)) >= 0.6 * len(domains):
        take(column, "website", 0.6, f"{addressed:.0%} of the values are web addresses")


def _by_words(column: Column, take: _Take) -> None:
    if not column.values or not column.is_prose_free:
        return
    if column.share(shapes.is_employee_words) >= 0.5:
        take(column, "full_time_employees", 0.8, "the values are employee counts in words")
        return
    if column.share(_is_revenue_words) >= 0.4:
        take(column, "revenue", 0.7, "the values are annual revenues in words")
        return
    if column.is_numeric:
        return
    if column.share(lambda v: len(v) > 3 and vocabulary.country(v) is not None) >= 0.8:
        take(column, "country", 0.8, "the values are countries")
    elif column.share(_is_place) >= 0.6:
        take(column, "place", 0.7, "the values are places")
    elif column.mean_length > 100:
        take(column, "description", 0.5, "the values are prose")


def _industries(columns: Sequence[Column], take: _Take) -> None:
    known = []
    for column in columns:
        words = column.values and column.is_prose_free and not column.is_numeric
        if words and column.distinct < 0.7:
            share = column.share(vocabulary.is_industry)
            if share >= 0.5:
                known.append((len(set(column.values)), column, share))
    # The finer of two classifications first.
    for _, column, share in sorted(known, key=lambda entry: -entry[0]):
        take(column, "industry", 0.6, f"{share:.0%} of the values are known industries")
        take(column, "sector", 0.5, f"{share:.0%} of the values are known industries")


def _names(columns: Sequence[Column], take: _Take) -> None:
    for column in columns:
        fitness, _ = fit("accounts", "company_name", column) if column.values else (0.0, "")
        reason = "the first column with distinct short texts"
        fits = fitness >= 0.5 and 2 <= column.mean_length <= 80 and _is_varied(column)
        if fits and take(column, "company_name", 0.5, reason):
            return


def _is_varied(column: Column) -> bool:
    return column.distinct >= 0.3 or len(column.values) < 10


def _is_place(text: str) -> bool:
    place = split_place(text) if "," in text else None
    return place is not None and place.city is not None and place.country_code is not None


def _is_revenue_words(text: str) -> bool:
    money = any(sign in text for sign in "$€£") or "illion" in text
    return money and revenue_band_from_text(text) is not None
