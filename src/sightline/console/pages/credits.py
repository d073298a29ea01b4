"""Credits: balances and spending."""

import json
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any
from uuid import UUID

from sightline.console.page import Shown, Visit, listed
from sightline.domain.credits import CREDITS, DEFAULT_PRICES, Credit
from sightline.store.credit_usage import spent_by_day
from sightline.store.credits import balances, ledger_page
from sightline.store.database import Tenant
from sightline.store.operation_pages import names_of, read_operations

DAYS = 30
# What the ledger calls an enrichment: this and its id.
_OPERATION = "operation:"


async def show(visit: Visit) -> Shown:
    credit: Credit | None = next((each for each in CREDITS if each == visit.asked("credit")), None)
    async with visit.reading() as connection:
        held = await balances(connection)
        days = await spent_by_day(connection, days=DAYS)
        read = partial(ledger_page, connection, credit=credit)
        lines, pager = await listed(visit, read)
        named = await _enriched(connection, lines)
    return Shown(
        "credits.html",
        {
            "balances": [(name, held.get(name, 0)) for name in CREDITS],
            "prices": {
                name: [key for key, price in DEFAULT_PRICES.items() if price.credit == name]
                for name in CREDITS
            },
            "lines": lines,
            "named": named,
            "pager": pager,
            "credit": credit or "",
            "days": [f"{row['day'].day} {row['day']:%b}" for row in days],
            "spent": [row["spent"] for row in days],
            "total_spent": sum(row["spent"] for row in days),
        },
    )


async def _enriched(
    tenant: Tenant, lines: Iterable[Mapping[str, Any]]
) -> dict[str, tuple[str, str]]:
    """The operation and what it enriched, by what the lines of the ledger call it."""
    ids = {
        line["operation"]: line["operation"].removeprefix(_OPERATION)
        for line in lines
        if (line["operation"] or "").startswith(_OPERATION)
    }
    read = [
        json.loads(text)
        for text in await read_operations(
            tenant, [UUID(each) for each in sorted(set(ids.values()))]
        )
    ]
    inputs = {each["public_operation_id"]: each["input"] for each in read}
    known = await names_of(tenant, {each["id"] for each in inputs.values() if each.get("id")})
    names = {
        operation: given.get("company_name") or given.get("domain") or known.get(given.get("id"))
        for operation, given in inputs.items()
    }
    return {
        called: (operation, names[operation] or "Several companies")
        for called, operation in ids.items()
        if operation in names
    }
