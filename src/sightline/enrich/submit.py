"""Accepts enrichment requests: checked, priced, credit reserved and queued in one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any
from uuid import UUID

from sightline.domain.credits import Price, price_of
from sightline.domain.errors import (
    CompanyDoesNotExist,
    DomainIsUnusable,
    IdentifiersAreContradictory,
    RequestIsInvalid,
)
from sightline.domain.names import fold
from sightline.domain.websites import domain_of
from sightline.store import credits, operations
from sightline.store.database import Tenant
from sightline.store.enrichment_requests import known_company, named_companies
from sightline.store.operations import Asker, charge_reference

PRICE = "company_enrichment"
# What an input may say, and in how many characters at most.
INPUT_FIELDS = {
    "company_name": 300, "domain": 2000, "id": 36, "external_id": 200, "source_system": 100,
}  # fmt: skip
BULK_PRIORITY = 10  # after what someone waits for


@dataclass(frozen=True)
class Quote:
    """What an enrichment costs, and the company if it is known already."""

    price: Price
    company_id: UUID | None


@dataclass(frozen=True)
class Submission:
    """A queued operation."""

    operation_id: UUID
    company_id: UUID | None
    held: Price


def read_input(asked: Mapping[str, str | None], *, path: str = "") -> dict[str, str]:
    """What is kept of one input. Raises RequestIsInvalid naming the field below `path`."""
    values = {
        name: value.strip()
        for name, value in asked.items()
        if name in INPUT_FIELDS and value is not None and value.strip()
    }
    for name, value in values.items():
        if len(value) > INPUT_FIELDS[name]:
            message = f"Must have at most {INPUT_FIELDS[name]} characters."
            raise _refusal(RequestIsInvalid, f"{path}{name}", message)
    if not {"company_name", "domain", "id"} & set(values):
        raise _refusal(
            RequestIsInvalid,
            path.rstrip(".") or "body",
            "At least one of company_name, domain and id is required.",
        )
    for name, read in _READERS.items():
        if name in values:
            values[name] = read(values[name], f"{path}{name}")
    return values


def _read_domain(text: str, path: str) -> str:
    domain = domain_of(text)
    if domain is None or "@" in text:
        message = "Not a domain that a company can own; use one such as acme.com."
        raise _refusal(DomainIsUnusable, path, message)
    return domain


def _read_name(text: str, path: str) -> str:
    if not fold(text):
        raise _refusal(RequestIsInvalid, path, "Must have a letter or a digit.")
    return text


def _read_id(text: str, path: str) -> str:
    try:
        return str(UUID(text))
    except ValueError:
        message = "Must be a valid UUID."
        raise _refusal(RequestIsInvalid, path, message, code="invalid_uuid") from None


_READERS = {"domain": _read_domain, "company_name": _read_name, "id": _read_id}


async def quote(tenant: Tenant, values: Mapping[str, str], *, costs: Mapping[str, Any]) -> Quote:
    """What one input would cost now. Raises CompanyDoesNotExist for an id that no one knows and
    IdentifiersAreContradictory."""
    await refuse_contradiction(tenant, values)
    company_id = await known_company(tenant, values)
    if "id" in values and company_id is None:
        raise CompanyDoesNotExist()
    price = price_of(PRICE, costs)
    if company_id is not None and await operations.was_charged(tenant, company_id):
        price = Price(price.credit, 0)
    return Quote(price, company_id)


async def refuse_contradiction(tenant: Tenant, values: Mapping[str, str]) -> None:
    """Raises IdentifiersAreContradictory when parts of an input name different companies."""
    named = await named_companies(tenant, values)
    by_part = {part: {each.company_id for each in named if each.part == part} for part in values}
    known = [companies for companies in by_part.values() if companies]
    if not any(one.isdisjoint(other) for one, other in combinations(known, 2)):
        return
    given = {each.part: _given(each.part, values) for each in named}
    words = "; ".join(f"{given[each.part]} is {each.name}" for each in named)
    message = f"The identifiers belong to different companies: {words}. Send identifiers of one company only."
    fields = [
        {"path": part, "message": message, "code": IdentifiersAreContradictory.code}
        for part in given
    ]
    companies = [
        {"company_id": str(each.company_id), "name": each.name, "identified_by": each.part}
        for each in named
    ]
    raise IdentifiersAreContradictory(message, fields=fields, companies=companies)


def _given(part: str, values: Mapping[str, str]) -> str:
    system = f" of {values['source_system']}" if "source_system" in values else ""
    return f"{part} {values[part]}{system if part == 'external_id' else ''}"


async def submit(
    tenant: Tenant, values: Mapping[str, str], *, costs: Mapping[str, Any], asker: Asker
) -> Submission:
    """Queue one input and hold its credits. Raises CompanyDoesNotExist, IdentifiersAreContradictory,
    CreditsAreExhausted."""
    quoted = await quote(tenant, values, costs=costs)
    amount = quoted.price.amount
    [operation_id] = await operations.add_operations(
        tenant, [values], amounts=[amount], asker=asker
    )
    if amount:
        await credits.reserve(
            tenant,
            credit=quoted.price.credit,
            amount=amount,
            operation=charge_reference(operation_id),
            reason="Company enrichment",
            key_id=asker.key_id,
            request_id=asker.request_id,
        )
    return Submission(operation_id, quoted.company_id, quoted.price)


async def submit_many(
    tenant: Tenant, inputs: Sequence[Mapping[str, str]], *, costs: Mapping[str, Any], asker: Asker
) -> Submission:
    """Queue many inputs as items of one operation. Raises CreditsAreExhausted.

    Each is held for at the full price: which company an item is, and whether it was paid for
    already, is found out by its enrichment.
    """
    price = price_of(PRICE, costs)
    parent_id = await operations.add_bulk(tenant, total=len(inputs), asker=asker)
    ids = await operations.add_operations(
        tenant,
        inputs,
        amounts=[price.amount] * len(inputs),
        asker=asker,
        parent_id=parent_id,
        priority=BULK_PRIORITY,
    )
    if price.amount:
        await credits.reserve_each(
            tenant,
            [charge_reference(each) for each in ids],
            credit=price.credit,
            amount=price.amount,
            reason="Company enrichment",
            key_id=asker.key_id,
            request_id=asker.request_id,
        )
    return Submission(parent_id, None, Price(price.credit, price.amount * len(ids)))


def _refusal(
    kind: type[RequestIsInvalid], path: str, message: str, *, code: str | None = None
) -> RequestIsInvalid:
    return kind(
        f"{path}: {message}", fields=[{"path": path, "message": message, "code": code or kind.code}]
    )
