"""Many contacts at once: rows of lists, and people discovered in public sources."""

import hashlib
import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from sightline.api.contact_schemas import Contact
from sightline.api.endpoint import Call, Endpoint, PricedParameters, Reply, Schema, of_resource
from sightline.api.pricing import credit_headers, dry_run_reply
from sightline.domain.errors import CompanyDoesNotExist, RequestIsInvalid
from sightline.enrich.discover_contacts import PRICE, discover, look
from sightline.imports.fields import ColumnDoesNotExist, FieldDoesNotExist
from sightline.imports.rows import FileHasNoPeople, FileIsNotReadable, RowProblem
from sightline.imports.spool import read_people
from sightline.imports.writing import problems_of
from sightline.kit.clock import rfc3339
from sightline.kit.ids import new_id
from sightline.store.companies import company_document, present_company
from sightline.store.contact_writes import Outcome, put_contacts
from sightline.store.contacts import documents_of
from sightline.store.imports import begin_import, finish_import, record_progress

MOST_ROWS = 5_000
MOST_DISCOVERED = 500


class ContactRows(Schema):
    """Rows of a list; columns are recognized by name and content, or mapped by you."""

    rows: list[dict[str, Any]] = Field(
        min_length=1,
        max_length=MOST_ROWS,
        examples=[[{"Name": "Mira Tanaka", "Email": "mira.tanaka@harbor-analytics.example"}]],
    )
    mapping: dict[str, str] | None = Field(
        default=None, description="Column -> field; an empty field ignores the column."
    )
    country: str | None = Field(
        default=None, max_length=100, description="Default country of phone numbers."
    )


class MappedColumn(Schema):
    column: str
    field: str
    confidence: float = Field(description="0-1.")


class RowFault(Schema):
    field: str
    message: str


class RowResult(Schema):
    row: int = Field(description="Index in the request, from 0.")
    status: Literal["created", "updated", "unchanged", "suppressed", "invalid"]
    contact_id: UUID | None
    problems: list[RowFault] = Field(description="Values that were rejected, and why.")


class ImportedContacts(Schema):
    import_id: UUID
    rows: int
    created: int
    updated: int
    unchanged: int
    suppressed: int
    invalid: int
    mapping: list[MappedColumn]
    results: list[RowResult]


class DiscoverParameters(PricedParameters):
    company_id: UUID = Field(description="Id of the company.")
    max: int = Field(
        default=25,
        ge=1,
        le=MOST_DISCOVERED,
        description="Maximum number of new contacts; most senior first.",
    )


class DiscoveredContacts(Schema):
    company_id: UUID
    created: int
    existing: int = Field(description="People who were already your contacts.")
    suppressed: int
    remaining: int = Field(description="New people beyond `max`.")
    charged: int = Field(description="Contact credits charged.")
    contacts: list[Contact]


async def import_rows(call: Call) -> Reply:
    asked: ContactRows = call.body
    content = json.dumps(asked.rows, sort_keys=True).encode()
    try:
        people = await read_people(
            asked.rows, mapping=asked.mapping, country=asked.country, size=len(content)
        )
    except FileHasNoPeople as error:
        hint = 'Name one in `mapping`, such as {"Person": "full_name"}.'
        raise RequestIsInvalid(f"{error} {hint}", path="mapping") from error
    except (FileIsNotReadable, ColumnDoesNotExist, FieldDoesNotExist) as error:
        raise RequestIsInvalid(str(error)) from error
    usable = [row for row, _ in people.read if row is not None]
    now = datetime.now(UTC)
    tenant = call.tenant
    begun = await begin_import(
        tenant,
        kind="contacts",
        file_name="POST /contacts/import",
        file_sha256=hashlib.sha256(content).digest(),
        options={"request": call.request_id},
        rows=len(asked.rows),
    )
    import_id = begun.import_id
    at = rfc3339(now, exact=True)
    outcomes = await put_contacts(
        tenant,
        [row.said for row in usable],
        source={"source": "import", "import_id": str(import_id), "observed_at": at},
        now=now,
        many=len(usable) > 50,
        import_id=import_id,
    )
    waiting = iter(outcomes)
    results = [
        _result(n, next(waiting) if row is not None else None, problems)
        for n, (row, problems) in enumerate(people.read)
    ]
    statuses = [result["status"] for result in results]
    after = replace(
        begun,
        rows_done=len(asked.rows),
        created=statuses.count("created"),
        updated=statuses.count("updated"),
        unchanged=statuses.count("unchanged"),
        bad=statuses.count("suppressed") + statuses.count("invalid"),
    )
    await record_progress(tenant, before=begun, after=after)
    await finish_import(tenant, import_id)
    counted = ("created", "updated", "unchanged", "suppressed", "invalid")
    body: dict[str, Any] = {"import_id": str(import_id), "rows": len(asked.rows)}
    body |= {status: statuses.count(status) for status in counted}
    body["mapping"] = [
        {"column": g.column, "field": g.field, "confidence": g.confidence}
        for g in people.mapping.guesses
    ]
    return Reply(json.dumps(body | {"results": results}, ensure_ascii=False).encode())


def _result(n: int, outcome: Outcome | None, problems: Any) -> dict[str, Any]:
    found: list[RowProblem] = [*problems, *(problems_of(n, outcome) if outcome else ())]
    return {
        "row": n,
        "status": outcome.status if outcome else "invalid",
        "contact_id": str(outcome.state.contact_id) if outcome and outcome.state else None,
        "problems": [{"field": each.column, "message": each.reason} for each in found],
    }


async def discover_contacts(call: Call) -> Reply:
    asked: DiscoverParameters = call.params
    tenant = call.tenant
    company_id = await present_company(tenant, asked.company_id)
    document = company_id and await company_document(tenant, company_id)
    if company_id is None or not document:
        raise CompanyDoesNotExist()
    now = datetime.now(UTC)
    name = str(json.loads(document[0]).get("company_name") or "")
    found = await look(
        tenant,
        company_id=company_id,
        company_name=name,
        most=asked.max,
        now=now,
    )
    if asked.dry_run:
        return await dry_run_reply(call, found.price(call.caller.costs))
    charged = await discover(
        tenant,
        found,
        costs=call.caller.costs,
        operation=f"{PRICE}:{new_id()}",
        key_id=call.caller.used_key,
        request_id=call.request_id,
        now=now,
    )
    head = {
        "company_id": str(company_id),
        "created": len(found.contact_ids),
        "existing": found.existing,
        "suppressed": found.suppressed,
        "remaining": found.beyond,
        "charged": charged.amount,
    }
    contacts = await documents_of(tenant, found.contact_ids)
    body = f'{json.dumps(head)[:-1]}, "contacts": {contacts}}}'
    return Reply(body.encode(), headers=await credit_headers(call, charged))


ENDPOINTS = of_resource(
    "Contacts",
    ("contacts:write", "contacts:write"),
    Endpoint(
        method="POST",
        path="/contacts/import",
        name="import_contacts",
        summary="Import rows of a list as contacts",
        description=(
            "Rows about an existing contact update it, and importing the same rows again "
            "changes nothing. Every row has its own result."
        ),
        body=ContactRows,
        answer=ImportedContacts,
        max_body_bytes=8_000_000,
        handler=import_rows,
    ),
    Endpoint(
        method="POST",
        path="/companies/{company_id}/contacts/discover",
        name="discover_contacts",
        summary="Discover contacts at a company in public sources",
        description=(
            "Officers, directors and insiders named in filings, and people on team pages. One "
            "contact credit per new contact, charged once per person."
        ),
        params=DiscoverParameters,
        answer=DiscoveredContacts,
        price=PRICE,
        handler=discover_contacts,
    ),
)
