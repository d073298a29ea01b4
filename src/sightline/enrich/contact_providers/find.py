"""Finds people at a company through a provider and stores them as an organization's contacts.

An address is kept when its domain takes mail. Nothing of a suppressed person is kept.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sightline.domain.contact_input import ReadContact, read_contact
from sightline.domain.contacts import read_email
from sightline.enrich.contact_providers.contract import (
    MOST_LEFT_OUT,
    Employer,
    LeftOut,
    Person,
    Provider,
    ProviderRefuses,
)
from sightline.kit.clock import rfc3339
from sightline.kit.fetch.addresses import parse_url
from sightline.kit.fetch.bounds import Limits
from sightline.kit.fetch.errors import FetchFailed
from sightline.kit.fetch.live import Web
from sightline.kit.fetch.mail_exchange import TakesMail
from sightline.kit.secrets import SecretBox, SecretIsUnreadable
from sightline.store.companies import company_document, present_company
from sightline.store.contact_writes import put_contacts
from sightline.store.database import Tenant
from sightline.store.integrations import find_integration
from sightline.store.suppressions import hidden_keys

_SECONDS: Final = 30.0
_WORDS: Final = {
    401: "The provider rejected the key.",
    402: "Your credits with the provider are used up.",
    403: "The provider rejected the key, or your plan does not include this.",
    429: "The provider's request limit is reached; try again later.",
}


@dataclass
class FoundPeople:
    """What a provider found. `left_out` counts addresses that are guessed, or whose domain takes no mail."""

    people: list[tuple[Person, ReadContact]] = field(default_factory=list)
    unusable: int = 0
    left_out: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Question:
    """What a provider is asked, with whose key."""

    provider: Provider
    company_id: UUID
    employer: Employer
    left_out: LeftOut
    most: int
    key: str = field(repr=False)

    def price(self) -> dict[str, Any]:
        """What asking costs at most."""
        provider = self.provider
        return {
            "provider": provider.name,
            "company": self.employer.name,
            "credits_at_most": provider.credits(min(self.most, provider.most)),
            "price": provider.price,
            "terms": provider.manifest.terms,
        }


async def look_up(
    tenant: Tenant, provider: Provider, company_id: UUID, most: int, *, secrets: SecretBox
) -> Question:
    """The question for a company, and who is suppressed there. Raises ProviderRefuses."""
    title = provider.manifest.title
    kept = await find_integration(tenant, provider.name)
    present = await present_company(tenant, company_id)
    document = present and await company_document(tenant, present)
    if kept is None or kept.secret is None:
        raise ProviderRefuses(f"{title} needs your API key: sightline contacts connect.")
    if not kept.enabled:
        raise ProviderRefuses(f"{title} is turned off.")
    record = json.loads(document[0]) if document else {}
    name, domain = record.get("company_name"), record.get("website_domain")
    if not present or not name or not domain:
        raise ProviderRefuses("There is no such company, or its website is unknown.")
    left_out = LeftOut()
    if provider.leaves_out:
        left_out = _left_out(await hidden_keys(tenant, present), domain)
    try:
        key = secrets.open(kept.secret)
    except SecretIsUnreadable as error:
        raise ProviderRefuses(f"{error} Connect the provider again.") from error
    return Question(provider, company_id, Employer(name, domain), left_out, most, key)


def _left_out(known: Sequence[tuple[UUID, str]], domain: str) -> LeftOut:
    """Whom the provider is asked to exclude. No private address is sent."""
    emails = [(who, key[2:]) for who, key in known if key.endswith(f"@{domain}")][:MOST_LEFT_OUT]
    pages = [(who, key[2:]) for who, key in known if key.startswith("p:")][:MOST_LEFT_OUT]
    people = {who for who, _ in (*emails, *pages)}
    return LeftOut(len(people), [email for _, email in emails], [page for _, page in pages])


async def find_people(question: Question, *, web: Web, takes_mail: TakesMail) -> FoundPeople:
    """Ask the provider once. Raises ProviderRefuses."""
    provider, employer, most = question.provider, question.employer, question.most
    answer = await _ask(question, web)
    found = FoundPeople()
    for person in provider.read(answer)[:most]:
        said = read_contact(person.raw)
        found.left_out["guessed"] += len(person.guessed)
        if not said.values.get("full_name"):
            found.unusable += 1
            continue
        said.values.setdefault("company", {"name": employer.name})
        found.people.append((person, said))
    await _check_addresses(found, takes_mail)
    return found


async def _ask(question: Question, web: Web) -> dict[str, Any]:
    provider = question.provider
    title, most = provider.manifest.title, min(question.most, provider.most)
    url, request = provider.ask(question.key, question.employer, most, question.left_out)
    try:
        reply = await web.exchange(parse_url(url), request, limits=Limits(), seconds=_SECONDS)
    except FetchFailed as error:
        raise ProviderRefuses(f"{title} cannot be reached: {error.sentence}") from error
    if reply.status == 404:  # no person found
        return {}
    if reply.status != 200:
        words = _WORDS.get(reply.status, f"It answered {reply.status}.")
        raise ProviderRefuses(f"{title}: {words}")
    try:
        answer = json.loads(reply.content)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise ProviderRefuses(f"{title}: its response cannot be read.")
    return answer


async def _check_addresses(found: FoundPeople, takes_mail: TakesMail) -> None:
    """Take out addresses to which no mail goes; each domain is looked up once."""
    known: dict[str, bool | None] = {}
    for _, said in found.people:
        kept = []
        for text in said.values.get("emails", ()):
            address = read_email(text)
            domain = address.domain if address else ""
            if domain not in known:
                known[domain] = await takes_mail(domain) if domain else False
            if known[domain] is False:
                found.left_out["no_mail"] += 1
            else:
                kept.append(text)
        said.values.pop("emails", None)
        if kept:
            said.values["emails"] = kept


async def keep_people(
    tenant: Tenant, question: Question, found: FoundPeople, *, at: datetime
) -> dict[str, Any]:
    """Make people contacts, or merge them into those that they are; returns what came of it. What a provider
    says fills gaps and replaces nothing that a person or a list said."""
    provider, counts = question.provider, Counter[str]()
    for person, said in found.people:
        said.values["company_id"] = str(question.company_id)
        source = {
            "source": "discovery",
            "origin": provider.name,
            "url": person.url or provider.manifest.terms,
            "record": person.key,
            "terms": provider.manifest.terms,
            "observed_at": rfc3339(at, exact=True),
        }
        (outcome,) = await put_contacts(tenant, [said], source=source, now=at)
        counts[outcome.status] += 1
    people = len(found.people) + found.unusable
    return {
        "provider": provider.name,
        "found": people,
        **{name: counts[name] for name in ("created", "updated", "unchanged", "suppressed")},
        "not_asked_for": question.left_out.people,
        "unusable": found.unusable,
        "addresses_guessed": found.left_out["guessed"],
        "addresses_without_mail": found.left_out["no_mail"],
        "credits": provider.credits(people),
        "terms": provider.manifest.terms,
    }
