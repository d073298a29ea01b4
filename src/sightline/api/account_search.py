"""Parameters of an account search, and their translation for the store."""

from difflib import get_close_matches
from typing import Any

from pydantic import Field

from sightline.api.endpoint import Schema
from sightline.api.filtering import as_ascii, checked_filter, resolved_filter, unknown_value
from sightline.api.moments import Moment
from sightline.domain.bands import EMPLOYEE_BANDS, REVENUE_BANDS, closest_bands
from sightline.domain.countries import closest_countries, country_from_text
from sightline.domain.filters import Filter, references
from sightline.domain.industries import closest_industries, industries
from sightline.domain.names import search_terms
from sightline.store.accounts import AccountFilter
from sightline.store.database import Tenant
from sightline.store.territory_pages import territory_ids


class AccountFilters(Schema):
    """Filters are combined with "and"; an empty body matches all accounts."""

    industry: str | None = Field(default=None, max_length=200, description="Industry name.")
    employee_size_category: str | None = Field(
        default=None, max_length=200, description="An employee band.", examples=["51-200"]
    )
    revenue_category: str | None = Field(
        default=None, max_length=200, description="A revenue band in USD.", examples=["10M-50M"]
    )
    country: str | None = Field(
        default=None, max_length=200, description="ISO 3166 code or name.", examples=["US"]
    )
    company_name: str | None = Field(
        default=None,
        max_length=200,
        description=(
            "Part of a name, alternative name or domain; ignores case, accents and punctuation."
        ),
    )
    public_company: bool | None = None
    filter: dict[str, Any] | None = Field(
        default=None,
        description=(
            "A filter: nested and, or, not over conditions of field, op and value. Applies in "
            "addition to the fields above. On description, contains finds words by their beginnings."
        ),
        examples=[{"and": [{"field": "employees", "op": "gte", "value": 200}]}],
    )
    changed_since: Moment | None = Field(
        default=None,
        description="Created or changed at or after this time. To mirror accounts, use GET /accounts/export.",
    )


async def account_filter(tenant: Tenant, asked: AccountFilters) -> tuple[AccountFilter, list[str]]:
    """The filter, and a warning for each value that is outside its vocabulary.

    Raises FilterIsInvalid, RulesAreCircular.
    """
    equal: list[tuple[str, str | bool]] = []
    warnings: list[str] = []
    for field, column, known, closest in (
        ("industry", "industry", _industry, closest_industries),
        ("employee_size_category", "employee_size_category", _employee_band, _near_employees),
        ("revenue_category", "revenue_category", _revenue_band, _near_revenues),
        ("country", "country_code", _country, closest_countries),
    ):
        text: str | None = getattr(asked, field)
        if text is None:
            continue
        value = known(text)
        if value is None:
            warnings.append(unknown_value(field, closest(text)))
        else:
            equal.append((column, value))
    if asked.public_company is not None:
        equal.append(("public_company", asked.public_company))
    spaced = squeezed = None
    nothing = bool(warnings)
    reading = checked_filter(asked.filter)
    warnings += [as_ascii(sentence) for sentence in reading.unknown]
    if asked.company_name is not None and asked.company_name.strip():
        terms = search_terms(asked.company_name)
        spaced, squeezed = terms.spaced, terms.squeezed
        nothing = nothing or terms.empty
    wanted = await resolved_filter(tenant, asked.filter)
    warnings += await _unknown_territories(tenant, wanted)
    where = AccountFilter(
        tuple(equal), spaced, squeezed, nothing, wanted, changed_since=asked.changed_since
    )
    return where, warnings


async def _unknown_territories(tenant: Tenant, wanted: Filter) -> list[str]:
    """A warning for each territory that a filter names and that does not exist."""
    named = {each for kind, each in references(wanted) if kind == "territory"}
    if not named:
        return []
    known = await territory_ids(tenant)
    return [
        unknown_value("territory", get_close_matches(each, known, n=3, cutoff=0.4))
        for each in sorted(named - set(known))
    ]


def _industry(text: str) -> str | None:
    wanted = text.strip().casefold()
    return next((i.name for i in industries() if i.name.casefold() == wanted), None)


def _employee_band(text: str) -> str | None:
    return text.strip() if text.strip() in EMPLOYEE_BANDS else None


def _revenue_band(text: str) -> str | None:
    return text.strip().upper() if text.strip().upper() in REVENUE_BANDS else None


def _near_employees(text: str) -> list[str]:
    return closest_bands(text, EMPLOYEE_BANDS)


def _near_revenues(text: str) -> list[str]:
    return closest_bands(text, REVENUE_BANDS)


def _country(text: str) -> str | None:
    country = country_from_text(text)
    return country.alpha2 if country else None
