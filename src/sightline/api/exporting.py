"""Accounts and contacts as streamed tables, with the provenance of each value on request."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from sightline.domain.contact_records import CONTACT_FIELDS
from sightline.domain.records import COMPANY_FIELDS
from sightline.enrich.survivorship import MADE_FROM
from sightline.kit.clock import rfc3339
from sightline.kit.tables import Format, Kind, table_writer
from sightline.store.account_search import AccountSearcher
from sightline.store.accounts import AccountFilter, StoredAccount, stream_accounts
from sightline.store.contact_query import ContactQuery
from sightline.store.contacts import stream_contacts
from sightline.store.database import Connection, Tenant
from sightline.store.territory_pages import member_scores
from sightline.store.winners import winning_origins

# Rows made at once: the process answers no one else meanwhile, which these take a few milliseconds of.
BATCH = 250
# A batch is a row group of a Parquet file, and many small ones make it slow to read.
_PARQUET_BATCHES = 4
_ORIGIN = ("source", "url", "observed_at")
_KINDS: dict[str, Kind] = {
    "public_company": "boolean",
    "full_time_employees": "integer",
    "market_cap": "number",
    "alternative_domains": "list",
    "alternative_names": "list",
    "tags": "list",
}
ACCOUNT_COLUMNS: dict[str, Kind] = {
    name: _KINDS.get(name, "text")
    for name in (
        "id", "company_id", "website",
        *(name for name in COMPANY_FIELDS if name != "company_id"), "updated_at",
    )
}  # fmt: skip
# Of the accounts of a territory, beside those of every account.
SCORE_COLUMNS: dict[str, Kind] = {"score": "integer", "why": "text", "by_hand": "boolean"}
CONTACT_COLUMNS: dict[str, Kind] = {
    "id": "text", "full_name": "text", "first_name": "text", "last_name": "text",
    "current_job_title": "text", "seniority": "text", "department": "text", "company_name": "text",
    "company_profile_network_id": "text", "company_id": "text", "emails": "list",
    "role_emails": "list", "phones": "list", "location": "text", "country": "text",
    "country_code": "text", "headline": "text", "summary": "text", "skills": "list",
    "profile_network_url": "text", "image_url": "text", "experience": "text", "education": "text",
    "created_at": "text", "updated_at": "text",
}  # fmt: skip

Origins = Mapping[str, Mapping[str, Any]]  # field -> source, url, observed_at


async def account_table(
    tenant: Tenant,
    where: AccountFilter,
    *,
    searcher: AccountSearcher,
    form: Format,
    provenance: bool = False,
    territory_id: str | None = None,
) -> AsyncIterator[bytes]:
    """All matching accounts as of one moment, by id; with their scores in a territory, if one is named."""
    columns = dict(ACCOUNT_COLUMNS)
    if territory_id is not None:
        columns |= SCORE_COLUMNS
    if provenance:
        columns |= _origin_columns(tuple(COMPANY_FIELDS)[1:])
    writer = table_writer(form, columns)
    async with searcher.selecting(tenant, where) as (moment, chosen):
        async for batch in stream_accounts(moment, chosen, batch=_batch(form)):
            origins = await _account_origins(moment, batch) if provenance else None
            scores: dict[UUID, dict[str, Any]] = {}
            if territory_id is not None:
                ids = [UUID(account.item["id"]) for account in batch]
                scores = await member_scores(moment, territory_id, ids)
            rows = []
            for n, account in enumerate(batch):
                row = account.item | {"updated_at": rfc3339(account.updated_at, exact=True)}
                row |= scores.get(UUID(account.item["id"]), {})
                rows.append(_with_origins(row, origins[n], form) if origins else row)
            yield writer.add(rows)
    yield await asyncio.to_thread(writer.finish)


async def contact_table(
    tenant: Tenant, query: ContactQuery, *, form: Format, provenance: bool = False
) -> AsyncIterator[bytes]:
    """All contacts that a search finds, oldest first. Runs inside a tenant transaction to its end."""
    columns = dict(CONTACT_COLUMNS)
    if provenance:
        columns |= _origin_columns(CONTACT_FIELDS)
    writer = table_writer(form, columns)
    async for batch in stream_contacts(tenant, query, batch=_batch(form)):
        rows = []
        for contact, sources in batch:
            row = contact if form == "jsonl" else _flat(contact)
            rows.append(_with_origins(row, sources, form) if provenance else row)
        yield writer.add(rows)
    yield await asyncio.to_thread(writer.finish)


def _batch(form: Format) -> int:
    return BATCH * _PARQUET_BATCHES if form == "parquet" else BATCH


def _flat(contact: Mapping[str, Any]) -> dict[str, Any]:
    company = contact.get("company") or {}
    return {
        **contact,
        "company_name": company.get("name"),
        "company_profile_network_id": company.get("profile_network_id"),
    }


def _origin_columns(fields: Sequence[str]) -> dict[str, Kind]:
    return {f"{field}_{part}": "text" for field in fields for part in _ORIGIN}


def _with_origins(row: Mapping[str, Any], origins: Origins, form: Format) -> dict[str, Any]:
    if form == "jsonl":
        return {**row, "provenance": origins}
    columns = {
        f"{field}_{part}": origin.get(part) for field, origin in origins.items() for part in _ORIGIN
    }
    return {**row, **columns}


async def _account_origins(
    connection: Connection, batch: Sequence[StoredAccount]
) -> list[dict[str, Mapping[str, Any]]]:
    """For each account where its values come from: the organization's own, else the winning facts."""
    companies = [UUID(account.item["company_id"]) for account in batch]
    winners = await winning_origins(connection, companies)
    found = []
    for company_id, account in zip(companies, batch, strict=True):
        public, origins = winners.get(company_id, {}), {}
        for field in COMPANY_FIELDS:
            if account.item.get(field) is None or field == "company_id":
                continue
            if field in account.own_sources:
                origins[field] = account.own_sources[field]
            elif (origin := public.get(MADE_FROM.get(field, field))) is not None:
                origins[field] = origin
        found.append(origins)
    return found
