"""People at a company from a provider, as contacts of one organization.

An address is kept when its domain takes mail. Nothing of a suppressed person is kept.
"""

import json
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.domain.contact_input import ReadContact, read_contact
from sightline.domain.contacts import read_email
from sightline.enrich.contact_providers.contract import (
    Employer,
    Person,
    Provider,
    ProviderRefuses,
)
from sightline.kit.clock import now
from sightline.kit.fetch.addresses import parse_url
from sightline.kit.fetch.bounds import Limits
from sightline.kit.fetch.errors import FetchFailed
from sightline.kit.fetch.live import LiveWeb, Web
from sightline.kit.fetch.mail_exchange import takes_mail
from sightline.kit.secrets import SecretBox, SecretIsUnreadable
from sightline.store.companies import company_document, present_company
from sightline.store.contact_writes import put_contacts, rfc3339
from sightline.store.database import Connection, Database
from sightline.store.integrations import find_integration, note_integration

TakesMail = Callable[[str], Awaitable[bool | None]]  # whether a domain does; None: nobody knows

_SECONDS: Final = 30.0
_WORDS: Final = {
    401: "It does not take the key.",
    402: "Its credits are used up.",
    403: "It does not take the key, or the plan does not allow this.",
    429: "Its limit of requests is reached; try again later.",
}


@dataclass
class FoundPeople:
    """What a provider found. `left_out` counts addresses that are guessed, or whose domain takes no mail."""

    people: list[tuple[Person, ReadContact]] = field(default_factory=list)
    unusable: int = 0
    left_out: Counter[str] = field(default_factory=Counter)


async def find_people(
    provider: Provider, key: str, employer: Employer, most: int, *, web: Web, takes_mail: TakesMail
) -> FoundPeople:
    """Ask the provider once. Raises ProviderRefuses."""
    answer = await _ask(provider, key, employer, min(most, provider.most), web)
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


async def _ask(
    provider: Provider, key: str, employer: Employer, most: int, web: Web
) -> dict[str, Any]:
    title = provider.manifest.title
    url, request = provider.ask(key, employer, most)
    try:
        reply = await web.exchange(parse_url(url), request, limits=Limits(), seconds=_SECONDS)
    except FetchFailed as error:
        raise ProviderRefuses(f"{title} cannot be reached: {error.sentence}") from error
    if reply.status == 404:  # nobody is found
        return {}
    if reply.status != 200:
        words = _WORDS.get(reply.status, f"It answered {reply.status}.")
        raise ProviderRefuses(f"{title}: {words}")
    try:
        answer = json.loads(reply.content)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise ProviderRefuses(f"{title}: its answer cannot be read.")
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
    connection: Connection,
    organization_id: OrganizationId,
    provider: Provider,
    found: FoundPeople,
    *,
    company_id: UUID,
    at: datetime,
) -> Counter[str]:
    """Make people contacts, or merge them into those that they are; how many became what. What a provider
    says fills gaps and replaces nothing that a person or a list said."""
    counts: Counter[str] = Counter()
    for person, said in found.people:
        said.values["company_id"] = str(company_id)
        source = {
            "source": "discovery",
            "origin": provider.name,
            "url": person.url or provider.manifest.terms,
            "record": person.key,
            "terms": provider.manifest.terms,
            "observed_at": rfc3339(at),
        }
        (outcome,) = await put_contacts(connection, organization_id, [said], source=source, now=at)
        counts[outcome.status] += 1
    return counts


@dataclass(frozen=True)
class ContactFinder:
    """Asks providers for one organization, by the keys that it has. `open_web` is closed after each question.

    No database connection is held while a provider is asked.
    """

    database: Database
    organization_id: OrganizationId
    secrets: SecretBox
    open_web: Callable[[], Web] = LiveWeb
    takes_mail: TakesMail = takes_mail

    async def price(self, provider: Provider, company_id: UUID, most: int) -> dict[str, Any]:
        """What asking costs at most. Raises ProviderRefuses."""
        employer, _ = await self._look_up(provider, company_id)
        return {
            "provider": provider.name,
            "company": employer.name,
            "credits_at_most": provider.credits(min(most, provider.most)),
            "price": provider.price,
            "terms": provider.manifest.terms,
        }

    async def find(self, provider: Provider, company_id: UUID, most: int) -> dict[str, Any]:
        """Ask, keep, and say what came of it. Raises ProviderRefuses."""
        employer, key = await self._look_up(provider, company_id)
        web = self.open_web()
        error: str | None = None
        try:
            found = await find_people(
                provider, key, employer, most, web=web, takes_mail=self.takes_mail
            )
        except ProviderRefuses as refusal:
            error = str(refusal)
            raise
        finally:
            await web.close()
            async with self.database.tenant(self.organization_id) as connection:
                await note_integration(connection, self.organization_id, provider.name, error=error)
        async with self.database.tenant(self.organization_id) as connection:
            counts = await keep_people(
                connection, self.organization_id, provider, found, company_id=company_id, at=now()
            )
        people = len(found.people) + found.unusable
        return {
            "provider": provider.name,
            "found": people,
            **{name: counts[name] for name in ("created", "updated", "unchanged", "suppressed")},
            "unusable": found.unusable,
            "addresses_guessed": found.left_out["guessed"],
            "addresses_without_mail": found.left_out["no_mail"],
            "credits": provider.credits(people),
            "terms": provider.manifest.terms,
        }

    async def _look_up(self, provider: Provider, company_id: UUID) -> tuple[Employer, str]:
        """The employer and the key."""
        title = provider.manifest.title
        async with self.database.tenant(self.organization_id) as connection:
            kept = await find_integration(connection, self.organization_id, provider.name)
            present = await present_company(connection, self.organization_id, company_id)
            document = present and await company_document(connection, self.organization_id, present)
        if kept is None or kept.secret is None:
            raise ProviderRefuses(f"{title} needs your key: sightline contacts connect.")
        if not kept.enabled:
            raise ProviderRefuses(f"{title} is switched off.")
        record = json.loads(document[0]) if document else {}
        name, domain = record.get("company_name"), record.get("website_domain")
        if not name or not domain:
            raise ProviderRefuses("There is no such company, or its web site is not known.")
        try:
            return Employer(name, domain), self.secrets.open(kept.secret)
        except SecretIsUnreadable as error:
            raise ProviderRefuses(f"{error} Keep the key again.") from error
