"""People at a company from a contact provider, with the organization's own key."""

from typing import Literal

from pydantic import Field

from sightline.api.asked_company import asked_company
from sightline.api.endpoint import (
    Call,
    DeferredReply,
    Endpoint,
    Keep,
    Reply,
    Schema,
    json_reply,
    of_resource,
)
from sightline.domain.errors import RequestIsInvalid
from sightline.enrich.contact_providers.contract import ProviderRefuses
from sightline.enrich.contact_providers.find import find_people, keep_people, look_up
from sightline.enrich.contact_providers.registry import CONTACT_PROVIDERS
from sightline.kit.clock import now
from sightline.store.database import Tenant
from sightline.store.integrations import note_integration

SECONDS = 120.0  # one question, and a look at the domain of each address


class FindPeople(Schema):
    provider: Literal["people_data_labs", "hunter"]
    max: int = Field(default=10, ge=1, le=100, description="Maximum number of people.")
    dry_run: bool = Field(
        default=False, description="Show the maximum cost without asking the provider."
    )


class FoundPeople(Schema):
    """What a provider found. Credits are your credits with the provider, not Sightline's."""

    provider: str
    company: str
    dry_run: bool
    credits: int = Field(description="Credits of the provider; in a dry run the maximum.")
    price: str
    terms: str
    found: int
    created: int
    updated: int
    unchanged: int
    suppressed: int = Field(description="Suppressed people who were returned anyway, and dropped.")
    not_asked_for: int = Field(
        description="Suppressed people whom the provider was asked to exclude."
    )
    unusable: int
    addresses_guessed: int = Field(description="Guessed from a pattern, and not stored.")
    addresses_without_mail: int


async def find_contacts(call: Call) -> Reply | DeferredReply:
    asked: FindPeople = call.body
    tenant = call.tenant
    company_id = await asked_company(call)
    provider = CONTACT_PROVIDERS[asked.provider]
    try:
        question = await look_up(
            tenant, provider, company_id, asked.max,
            secrets=call.services.secrets
        )  # fmt: skip
    except ProviderRefuses as refusal:
        raise RequestIsInvalid(str(refusal), path="provider") from refusal
    price = question.price()
    most = price.pop("credits_at_most")
    if asked.dry_run:
        none = dict.fromkeys(COUNTS, 0)
        return json_reply(price | none | {"dry_run": True, "credits": most})

    failure = "The request timed out."

    async def make() -> Keep:
        nonlocal failure
        web = call.services.open_web()
        try:
            found = await find_people(question, web=web, takes_mail=call.services.takes_mail)
        except ProviderRefuses as refusal:
            failure = str(refusal)
            raise RequestIsInvalid(failure, path="provider") from refusal
        finally:
            await web.close()

        async def keep(call: Call) -> Reply:
            done = await keep_people(call.tenant, question, found, at=now())
            await note_integration(call.tenant, provider.name, error=None)
            return json_reply(price | done | {"dry_run": False})

        return keep

    async def compensate(tenant: Tenant) -> None:
        await note_integration(tenant, provider.name, error=failure)

    return DeferredReply(make, compensate, SECONDS)


COUNTS = (
    "found", "created", "updated", "unchanged", "suppressed", "not_asked_for", "unusable",
    "addresses_guessed", "addresses_without_mail",
)  # fmt: skip


ENDPOINTS = of_resource(
    "Contacts",
    ("contacts:write", "contacts:write"),
    Endpoint(
        method="POST",
        path="/companies/{company_id}/contacts/find",
        name="find_contacts",
        summary="Find people at a company through a contact provider",
        description=(
            "Uses your own key. People become contacts of your organization, with the source of each field. "
            "Connect the provider first. Suppressed people are not stored."
        ),
        body=FindPeople,
        answer=FoundPeople,
        handler=find_contacts,
    ),
)
