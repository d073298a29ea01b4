"""Parameters of a contact search, and their translation for the store."""

import json
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any
from uuid import UUID

from pydantic import Field

from sightline.api.endpoint import Schema
from sightline.api.filtering import as_ascii, checked_filter, resolved_filter, unknown_value
from sightline.api.moments import Moment
from sightline.api.paging import (
    DEFAULT_PER_PAGE,
    LAST_PAGE,
    MOST_CURSOR,
    MOST_PER_PAGE,
    PageParameters,
)
from sightline.domain import contact_records as records
from sightline.domain.contacts import read_email
from sightline.domain.countries import closest_countries, country_from_text
from sightline.domain.errors import RequestIsInvalid
from sightline.domain.names import fold
from sightline.store.contact_query import Atom, Clause, ContactQuery
from sightline.store.database import Tenant

Words = str | list[str]
_LEAST_PREFIX = 2
_MOST_WORDS = 20


def _words(description: str) -> Any:
    return Field(default=None, max_length=200, description=description)


class ContactSearch(Schema):
    """Filters are combined with "and", the values of one filter with "or". An empty body matches all."""

    q: str | None = Field(
        default=None, max_length=300, description="All words must occur somewhere in the contact."
    )
    name: str | None = Field(
        default=None, max_length=200, description="Words of the name; the last may be incomplete."
    )
    title: Words | None = _words(
        "The title has all words of one of these; abbreviations (VP, CFO) match full titles."
    )
    title_exclude: Words | None = _words("Exclude titles that have all words of one of these.")
    seniority: Words | None = _words("Seniority levels.")
    department: Words | None = _words("Departments.")
    skills: Words | None = _words("Any of these skills.")
    country: Words | None = _words("ISO 3166 codes or names.")
    location: Words | None = _words("The location has all words of one of these.")
    company_name: Words | None = _words("The employer's name has all words of one of these.")
    past_company: Words | None = _words("A previous employer's name has all words of one of these.")
    company_ids: list[UUID] | None = Field(default=None, max_length=1000)
    account_filter: dict[str, Any] | None = Field(
        default=None,
        description="A filter over the accounts where they work.",
        examples=[{"field": "industry", "op": "eq", "value": "Software"}],
    )
    email: str | None = Field(default=None, max_length=254, description="Exactly this address.")
    has_email: bool | None = None
    has_phone: bool | None = None
    updated_since: Moment | None = Field(
        default=None, description="Created or changed at or after this time."
    )


class PagedContactSearch(ContactSearch):
    page: int = Field(default=1, ge=1, le=LAST_PAGE, description="Page number, from 1.")
    per_page: int = Field(
        default=DEFAULT_PER_PAGE, ge=1, le=MOST_PER_PAGE, description="Items per page."
    )
    limit: int | None = Field(
        default=None, ge=1, le=MOST_PER_PAGE, description="Alias of `per_page`."
    )
    cursor: str | None = Field(
        default=None, max_length=MOST_CURSOR, description="The `next_cursor` of the previous page."
    )


class ContactList(PageParameters):
    limit: int | None = Field(
        default=None, ge=1, le=MOST_PER_PAGE, description="Alias of `per_page`."
    )
    q: str | None = Field(
        default=None, max_length=300, description="All words must occur somewhere in the contact."
    )
    company_id: UUID | None = Field(default=None, description="Only this company.")
    updated_since: Moment | None = Field(
        default=None, description="Created or changed at or after this time."
    )


def page_asked(asked: PagedContactSearch | ContactList) -> PageParameters:
    """The page that is asked for, by either name of its size."""
    if asked.limit is not None and "per_page" in asked.model_fields_set:
        raise RequestIsInvalid("Give either per_page or limit.", path="limit")
    return PageParameters(
        page=asked.page, per_page=asked.limit or asked.per_page, cursor=asked.cursor
    )


def search_of(asked: ContactList) -> ContactSearch:
    """The search that a list's parameters stand for."""
    return ContactSearch(
        q=asked.q,
        company_ids=[asked.company_id] if asked.company_id else None,
        updated_since=asked.updated_since,
    )


async def contact_query(
    tenant: Tenant, asked: ContactSearch
) -> tuple[ContactQuery, dict[str, str]]:
    """The query, and the header that warns of values outside their vocabulary, if any.

    Raises FilterIsInvalid.
    """
    clauses, warnings = search_clauses(asked)
    accounts = await resolved_filter(tenant, asked.account_filter, path="account_filter")
    warnings += checked_filter(asked.account_filter, path="account_filter").unknown
    query = ContactQuery(
        clauses=tuple(clauses),
        company_ids=tuple(asked.company_ids) if asked.company_ids is not None else None,
        accounts=accounts,
        keys=_keys(asked.email),
        updated_since=asked.updated_since,
        nothing=any(not clause.alternatives for clause in clauses),
    )
    return query, {"X-Warning": as_ascii("; ".join(warnings))} if warnings else {}


def search_clauses(asked: ContactSearch) -> tuple[list[Clause], list[str]]:
    """What tokens can answer, and a warning for each value outside its vocabulary.

    A clause without alternatives can be met by no one.
    """
    clauses: list[Clause] = []
    warnings: list[str] = []
    for field, read, prefix in (
        ("seniority", _named(records.seniorities()), records.SENIORITY),
        ("department", _named(records.departments()), records.DEPARTMENT),
        ("country", _country, records.COUNTRY),
    ):
        if (given := getattr(asked, field)) is not None:
            clauses.append(_of_vocabulary(field, given, read, prefix, warnings))
    return clauses + _free_clauses(asked), warnings


def _free_clauses(asked: ContactSearch) -> list[Clause]:
    """What is not of a vocabulary."""
    clauses: list[Clause] = []
    for prefix, phrases in (
        (records.TITLE, asked.title),
        (records.PLACE, asked.location),
        (records.COMPANY, asked.company_name),
        (records.PAST, asked.past_company),
    ):
        if phrases is not None:
            clauses.append(_phrases(prefix, phrases))
    excluded = _phrases(records.TITLE, asked.title_exclude or [])
    if excluded.alternatives:
        clauses.append(Clause(excluded.alternatives, negated=True))
    if asked.skills is not None:
        clauses.append(_skills(asked.skills))
    clauses += _names(asked.name) if asked.name is not None else []
    if asked.q and asked.q.strip():
        clauses.append(_anywhere(asked.q))
    for flag, token in ((asked.has_email, records.HAS_EMAIL), (asked.has_phone, records.HAS_PHONE)):
        if flag is not None:
            clauses.append(Clause(((Atom((token,)),),), negated=not flag))
    return clauses


def _skills(given: Words) -> Clause:
    wanted = tuple(records.skill_token(each) for each in _listed(given) if fold(each))
    return Clause(((Atom(wanted),),) if wanted else ())


def _anywhere(text: str) -> Clause:
    """All words, each in any field."""
    words = records.words_of(text)[:_MOST_WORDS]
    atoms = tuple(Atom(tuple(field + word for field in records.FREE_TEXT)) for word in words)
    return Clause((atoms,) if atoms else ())


def _of_vocabulary(
    field: str,
    given: Words,
    read: Callable[[str], tuple[str | None, list[str]]],
    prefix: str,
    warnings: list[str],
) -> Clause:
    tokens = []
    for text in _listed(given):
        value, closest = read(text)
        if value is None:
            warnings.append(unknown_value(field, closest))
        else:
            tokens.append(prefix + value)
    return Clause(((Atom(tuple(tokens)),),) if tokens else ())


def _named(vocabulary: Sequence[str]) -> Callable[[str], tuple[str | None, list[str]]]:
    def read(text: str) -> tuple[str | None, list[str]]:
        wanted = fold(text).replace(" ", "_")
        closest = get_close_matches(wanted, vocabulary, n=3, cutoff=0.4)
        return (wanted if wanted in vocabulary else None), closest or list(vocabulary)

    return read


def _country(text: str) -> tuple[str | None, list[str]]:
    found = country_from_text(text)
    return (found.alpha2, []) if found else (None, closest_countries(text))


def _phrases(prefix: str, given: Words) -> Clause:
    alternatives = []
    for text in _listed(given):
        words = records.significant(records.words_of(text))[:_MOST_WORDS]
        if words:
            alternatives.append(tuple(Atom((prefix + word,)) for word in words))
    return Clause(tuple(alternatives))


def _names(text: str) -> list[Clause]:
    words = records.words_of(text)[:_MOST_WORDS]
    if not words:
        return [Clause(())] if text.strip() else []
    *whole, last = words
    final = Atom(tokens=(records.NAME + last,))
    if len(last) >= _LEAST_PREFIX and not text[-1:].isspace():
        final = Atom(prefixes=(records.NAME + last,))
    return [Clause(((*(Atom((records.NAME + word,)) for word in whole), final),))]


def _keys(email: str | None) -> tuple[str, ...] | None:
    if email is None:
        return None
    address = read_email(email)
    return ("e:" + address.address,) if address else ()


def _listed(given: Words) -> list[str]:
    return [given] if isinstance(given, str) else [*given]


def contacts_envelope(items: str, described: dict[str, Any]) -> bytes:
    """The body of a contacts list, as the reference names its parts."""
    page = {
        "page": described["page"],
        "limit": described["per_page"],
        "total": described["total"],
        "next_cursor": described["next_cursor"],
    }
    return f'{{"data":{items},"pagination":{json.dumps(page)}}}'.encode()
