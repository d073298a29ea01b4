"""What must hold when the storm is over: of operations, credits, evidence, alerts and messages."""

import base64
import hashlib
import hmac
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sightline.store.database import Database
from tests.bench.idempotent_kinds import World
from tests.chaos.sink import Sink
from tests.enrich.kills_checks import RULES

_REPLACED = (
    # While the clock of the database jumps, times of lines say nothing of their order.
    "an operation whose ledger is not one reservation and one end",
    "a line of the ledger that does not follow from the one before",
    # Here one source fails on purpose, so that operations end in part.
    "an operation that ended in another way than its input allows",
    "an operation charged though nothing was found, or the other way about",
)
_RULES = {what: query for what, query in RULES.items() if what not in _REPLACED} | {
    "an operation whose ledger is not one reservation and one end": """
        SELECT o.operation_id::text FROM operations o
        LEFT JOIN credit_ledger l ON l.operation = 'operation:' || o.operation_id
        WHERE o.amount > 0 AND o.kind = 'company_enrichment' GROUP BY o.operation_id, o.charge, o.amount
        HAVING array_agg(l.kind ORDER BY l.kind = 'reserve' DESC)
            <> ARRAY['reserve', CASE o.charge WHEN 'settled' THEN 'settle' ELSE 'release' END]
          OR sum(l.amount) <> CASE o.charge WHEN 'settled' THEN -o.amount ELSE 0 END""",
    # A page whose parser was killed twice is quarantined for an hour: then nothing may be found.
    "an operation that ended in another way than its input allows": """
        SELECT operation_id::text || ' ' || status || coalesce(' ' || error::text, '')
        FROM operations o WHERE kind = 'company_enrichment'
          AND CASE WHEN input ->> 'company_name' LIKE 'Nobody%' THEN status NOT IN ('failed', 'cancelled')
            WHEN cancel_requested THEN status NOT IN ('succeeded', 'partial', 'cancelled')
            ELSE status NOT IN ('succeeded', 'partial') END
          AND NOT EXISTS (SELECT FROM parser_deaths d WHERE d.deaths >= 2)""",
    "an operation charged though nothing was found, or the other way about": """
        SELECT operation_id::text FROM operations WHERE kind = 'company_enrichment'
          AND charge = 'settled' AND status NOT IN ('succeeded', 'partial')""",
    "an event of a watch without its alert": """
        SELECT e.event_id::text FROM events e CROSS JOIN unnest(e.watch_ids) AS w (watch_id)
        WHERE NOT EXISTS (SELECT FROM alerts a
          WHERE a.event_id = e.event_id AND a.watch_id = w.watch_id)""",
    "an alert without its message": """
        SELECT a.alert_id::text FROM alerts a WHERE NOT EXISTS (SELECT FROM webhook_deliveries d
          WHERE d.subject LIKE '%' || a.alert_id || '%')""",
}


async def broken(
    reader: Database, worlds: Sequence[World], secrets: Mapping[Any, str], sink: Sink
) -> list[str]:
    """Everything that breaks a rule, at most five of one rule and organization."""
    found = []
    for world in worlds:
        async with reader.tenant(world.organization_id) as connection:
            for what, query in _RULES.items():
                rows = await connection.fetch(query)
                found += [f"{what}: {row[0]}" for row in rows[:5]]
            found += broken_ledger(
                await connection.fetch("SELECT credit, amount, balance_after FROM credit_ledger")
            )
            deliveries = await connection.fetch(
                "SELECT delivery_id, status, body, attempts FROM webhook_deliveries"
            )
            found += broken_messages(deliveries, secrets[world.organization_id], sink)
    return found


def broken_ledger(lines: Sequence[Mapping[str, Any]]) -> list[str]:
    """Credits whose lines cannot be put into an order in which each begins where one before it ended."""
    found = []
    for credit in {line["credit"] for line in lines}:
        mine = [line for line in lines if line["credit"] == credit]
        ends = Counter([0, *(line["balance_after"] for line in mine)])
        begins = Counter(line["balance_after"] - line["amount"] for line in mine)
        begins[sum(line["amount"] for line in mine)] += 1
        if ends != begins:
            found.append(f"lines of the ledger of {credit} that do not follow from one another")
    return found


def broken_messages(deliveries: Sequence[Mapping[str, Any]], secret: str, sink: Sink) -> list[str]:
    """Deliveries that say otherwise than what arrived, and messages that are not as they were written."""
    found = []
    for delivery in deliveries:
        arrived = sink.messages.get(f"msg_{delivery['delivery_id'].hex}", [])
        taken = any(message.answer == 200 for message in arrived)
        if delivery["status"] == "delivered" and not taken:
            found.append(f"a message that never arrived: {delivery['delivery_id']}")
        if delivery["status"] == "failed":
            found.append(f"a message that was given up: {delivery['delivery_id']}")
        for message in arrived:
            if message.body != delivery["body"]:
                found.append(f"a message that is not as it was written: {delivery['delivery_id']}")
            if not _is_signed(message.headers, message.body, secret):
                found.append(f"a message with a wrong signature: {delivery['delivery_id']}")
    return found[:5]


def unknown_messages(known: set[str], sink: Sink) -> list[str]:
    """Messages that no delivery was for: what was sent must have been written down before."""
    return [f"an unknown message: {each}" for each in sink.messages if each not in known]


def _is_signed(headers: Mapping[str, str], body: str, secret: str) -> bool:
    """As Standard Webhooks says, independent of the code that signs."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{body}"
    digest = hmac.new(key, content.encode(), hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}" in headers["webhook-signature"].split()
