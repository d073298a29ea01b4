"""The daily limits of requests and tokens to language models: reserved before a request, settled after it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sightline.store.database import Connection

_KEPT_DAYS = 90


@dataclass(frozen=True, slots=True)
class Allowance:
    """What may be taken a day in the name of `subject`."""

    subject: str
    requests: int
    tokens: int


async def reserve(
    connection: Connection, allowances: Sequence[Allowance], *, day: date, tokens: int
) -> bool:
    """Count a request and hold its tokens under every allowance, or under none: False.

    Runs in a transaction of its own.
    """
    async with connection.transaction():
        await connection.execute(
            "DELETE FROM model_spending WHERE day < $1::date - $2::integer", day, _KEPT_DAYS
        )
        names = sorted(each.subject for each in allowances)
        await connection.execute(
            """
            INSERT INTO model_spending (day, subject, requests, tokens)
            SELECT $1, subject, 0, 0 FROM unnest($2::text[]) AS subject ON CONFLICT DO NOTHING
            """,
            day,
            names,
        )
        rows = await connection.fetch(
            """
            SELECT subject, requests, tokens FROM model_spending
            WHERE day = $1 AND subject = ANY($2::text[]) ORDER BY subject FOR UPDATE
            """,
            day,
            names,
        )
        taken = {row["subject"]: (row["requests"], row["tokens"]) for row in rows}
        for each in allowances:
            requests, held = taken[each.subject]
            if requests + 1 > each.requests or held + tokens > each.tokens:
                return False
        await connection.execute(
            """
            UPDATE model_spending SET requests = requests + 1, tokens = tokens + $3
            WHERE day = $1 AND subject = ANY($2::text[])
            """,
            day,
            names,
            tokens,
        )
    return True


async def settle(
    connection: Connection, allowances: Sequence[Allowance], *, day: date, held: int, taken: int
) -> None:
    """Put what was taken in the place of what was held."""
    await connection.execute(
        """
        UPDATE model_spending SET tokens = greatest(0, tokens - $3::bigint + $4::bigint)
        WHERE day = $1 AND subject = ANY($2::text[])
        """,
        day,
        [each.subject for each in allowances],
        held,
        taken,
    )
