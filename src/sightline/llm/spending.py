"""A request to a model within the daily budget: reserved before it, settled after it."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sightline.kit.clock import now
from sightline.llm.asking import ModelDidNotAnswer
from sightline.store import model_spending
from sightline.store.database import Database
from sightline.store.model_spending import Allowance

# A provider that fails so has counted nothing.
FREE = ("rate_limited", "unavailable")


class BudgetIsSpent(Exception):
    """The day's requests or tokens are."""


@dataclass
class Spending:
    """What a request takes: all that is held for it until its answer says."""

    tokens: int


@asynccontextmanager
async def held(
    database: Database, allowances: Sequence[Allowance], *, tokens: int
) -> AsyncIterator[Spending]:
    """Hold tokens under every allowance while the model is asked, without a connection meanwhile.
    Raises BudgetIsSpent."""
    day = now().astimezone(UTC).date()
    async with database.connection() as connection:
        if not await model_spending.reserve(connection, allowances, day=day, tokens=tokens):
            raise BudgetIsSpent
    spending = Spending(tokens)
    try:
        yield spending
    except ModelDidNotAnswer as error:
        if error.reason in FREE:
            spending.tokens = 0
        raise
    finally:
        async with database.connection() as connection:
            await model_spending.settle(
                connection, allowances, day=day, held=tokens, taken=spending.tokens
            )


def until_tomorrow(moment: datetime) -> timedelta:
    """Until a few minutes past the next midnight of UTC, when budgets begin again."""
    start = moment.astimezone(UTC).replace(hour=0, minute=5, second=0, microsecond=0)
    return start + timedelta(days=1) - moment
