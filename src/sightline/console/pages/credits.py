"""Credits: what is left, where it went."""

from functools import partial

from sightline.console.page import Shown, Visit, listed
from sightline.domain.credits import CREDITS, DEFAULT_PRICES, Credit
from sightline.store.credit_usage import spent_by_day
from sightline.store.credits import balances, ledger_page

DAYS = 30


async def show(visit: Visit) -> Shown:
    credit: Credit | None = next((each for each in CREDITS if each == visit.asked("credit")), None)
    organization_id = visit.session.organization_id
    async with visit.reading() as connection:
        held = await balances(connection, organization_id)
        days = await spent_by_day(connection, organization_id, days=DAYS)
        read = partial(ledger_page, connection, organization_id, credit=credit)
        lines, pager = await listed(visit, read)
    return Shown(
        "credits.html",
        {
            "balances": [(name, held.get(name, 0)) for name in CREDITS],
            "prices": {
                name: [key for key, price in DEFAULT_PRICES.items() if price.credit == name]
                for name in CREDITS
            },
            "lines": lines,
            "pager": pager,
            "credit": credit or "",
            "days": [f"{row['day'].day} {row['day']:%b}" for row in days],
            "spent": [row["spent"] for row in days],
            "total_spent": sum(row["spent"] for row in days),
        },
    )
