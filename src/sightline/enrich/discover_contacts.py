"""Stores the people whom public sources name at a company as an organization's contacts.

Officers and directors of filings, insiders of ownership forms and the people of team pages are facts
already; nothing is fetched here. A person is charged for once, however often they are found.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sightline.domain.callers import KeyId
from sightline.domain.contact_input import ReadContact, read_contact
from sightline.domain.contact_records import all_keys, identifying_keys
from sightline.domain.contacts import person_key
from sightline.domain.credits import Price, price_of
from sightline.domain.same_person import group_people
from sightline.domain.title_words import SENIORITIES
from sightline.domain.titles import read_title
from sightline.kit.clock import rfc3339
from sightline.store import credits
from sightline.store.contact_book import open_book, suppressed_keys
from sightline.store.contact_charges import charged_digests, note_charges
from sightline.store.contact_writes import find_by_keys, put_contacts
from sightline.store.database import Tenant
from sightline.store.facts import Fact, read_facts

PRICE = "contact_discovery"
# Older evidence names people who have mostly moved on.
_FRESH = timedelta(days=3 * 365)
_ROLES = ("officer", "founder", "director", "insider", "team")


@dataclass(frozen=True, slots=True)
class Person:
    """A person at a company with the fact that says most about them. `keys` are those of every
    spelling of the name, that fact's first."""

    said: ReadContact
    fact: Fact
    keys: tuple[str, ...]


@dataclass
class Discovery:
    """What was found. `fresh` are new contacts, cut to the number asked for; `paid` are those of them
    that were charged for before."""

    fresh: list[Person] = field(default_factory=list)
    paid: int = 0
    existing: int = 0
    suppressed: int = 0
    beyond: int = 0  # new people that the cut left out
    contact_ids: list[UUID] = field(default_factory=list)

    def price(self, costs: Mapping[str, Any]) -> Price:
        """What making the fresh ones contacts costs."""
        each = price_of(PRICE, costs)
        return Price(each.credit, each.amount * (len(self.fresh) - self.paid))


def people_of(
    facts: Sequence[Fact], *, company_id: UUID, company_name: str, now: datetime
) -> list[Person]:
    """The people whom facts of the field `person` name, leaders first, each once."""
    named = [fact for fact in facts if isinstance(fact.value, dict) and fact.value.get("name")]
    groups = group_people(
        [(str(fact.value["name"]), fact.document_id) for fact in named],
        titles=[fact.value.get("title") for fact in named],
    )
    people: dict[str, Person] = {}
    for group in groups:
        ranked = sorted((named[place] for place in group), key=_standing, reverse=True)
        keyed = [
            (fact, "n:" + key)
            for fact in ranked
            if _is_present(fact, now)
            and (key := person_key(str(fact.value["name"]), company_name)) is not None
        ]
        said = _contact(keyed[0][0].value, company_id, company_name) if keyed else None
        if said is not None:
            own = tuple(dict.fromkeys(key for _, key in keyed))
            people.setdefault(own[0], Person(said, keyed[0][0], own))
    return sorted(people.values(), key=_rank)


def _contact(value: Mapping[str, Any], company_id: UUID, company_name: str) -> ReadContact | None:
    said = read_contact(
        {
            "full_name": value.get("name"),
            "current_job_title": value.get("title"),
            "summary": value.get("biography"),
            "profile_network_url": _page(value.get("url")),
            "image_url": value.get("image_url"),
            "company": {"name": company_name},
        }
    )
    if not said.values.get("full_name"):
        return None
    said.values["company_id"] = str(company_id)
    return said


async def look(
    tenant: Tenant, *, company_id: UUID, company_name: str, most: int, now: datetime
) -> Discovery:
    """What a discovery would find: up to `most` new people. Nothing is written."""
    facts = await read_facts(tenant, company_id, fields=["person"])
    people = people_of(facts, company_id=company_id, company_name=company_name, now=now)
    book = await open_book(tenant)
    keys = {key for person in people for key in (*all_keys(person.said.values), *person.keys)}
    suppressed = await suppressed_keys(tenant, keys, book=book)
    held = await find_by_keys(tenant, keys)
    known = {key for state in held for key in identifying_keys(state.values)}
    found = Discovery()
    for person in people:
        own = {*all_keys(person.said.values), *person.keys}
        if own & suppressed:
            found.suppressed += 1
        elif own & known:
            found.existing += 1
        elif len(found.fresh) >= most:
            found.beyond += 1
        else:
            found.fresh.append(person)
    digests = [{book.digest(key) for key in person.keys} for person in found.fresh]
    charged = await charged_digests(tenant, [*set().union(*digests)])
    found.paid = sum(bool(own & charged) for own in digests)
    return found


async def discover(
    tenant: Tenant,
    found: Discovery,
    *,
    costs: Mapping[str, Any],
    operation: str,
    key_id: KeyId | None,
    request_id: str,
    now: datetime,
) -> Price:
    """Make the fresh people contacts and charge for those never charged before; what it cost.

    Everything is in the caller's transaction. Raises CreditsAreExhausted.
    """
    price = found.price(costs)
    if price.amount:
        await credits.reserve(
            tenant,
            credit=price.credit,
            amount=price.amount,
            operation=operation,
            reason="contact discovery",
            key_id=key_id,
            request_id=request_id,
        )
        await credits.settle(tenant, credit=price.credit, operation=operation)
    for person in found.fresh:
        (outcome,) = await put_contacts(tenant, [person.said], source=_source(person.fact), now=now)
        if outcome.state is not None:
            found.contact_ids.append(outcome.state.contact_id)
    book = await open_book(tenant)
    digests = [book.digest(key) for person in found.fresh for key in person.keys]
    await note_charges(tenant, digests)
    return price


def _source(fact: Fact) -> dict[str, Any]:
    return {
        "source": "discovery",
        "origin": fact.source,
        "url": fact.url,
        "document_id": str(fact.document_id),
        "quote": fact.quote,
        "observed_at": rfc3339(fact.observed_at, exact=True),
    }


def _page(url: Any) -> str | None:
    """Only a page on the professional network says who someone is."""
    text = str(url or "")
    return text if "linkedin." in text else None


def _standing(fact: Fact) -> tuple[bool, bool, float, datetime]:
    value = fact.value if isinstance(fact.value, dict) else {}
    return fact.wins, bool(value.get("title")), fact.confidence, fact.observed_at


def _is_present(fact: Fact, now: datetime) -> bool:
    """Whether someone may still be there: no one says they left, and the evidence is not old."""
    value = fact.value
    until = str(value.get("until") or "")
    if until and until < now.date().isoformat():
        return False
    return fact.as_of is None or fact.as_of >= (now - _FRESH).date()


def _rank(person: Person) -> tuple[int, bool, int, float]:
    value = person.fact.value
    title = read_title(str(value.get("title") or ""))
    level = SENIORITIES.index(title.seniority) if title.seniority else len(SENIORITIES)
    role = value.get("role")
    leads = title.department == "general_management"
    return (
        level,
        not leads,
        _ROLES.index(role) if role in _ROLES else len(_ROLES),
        -person.fact.confidence,
    )
