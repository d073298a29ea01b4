"""Delivers webhooks per Standard Webhooks: signed, retried on schedule, logged.

The address is judged like every outside address, at each attempt and each redirect.
"""

import base64
import hashlib
import hmac
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.kit.clock import now, rfc3339
from sightline.kit.fetch.answer import HostRules
from sightline.kit.fetch.client import Fetcher
from sightline.kit.fetch.errors import FetchFailed
from sightline.kit.secrets import SecretBox, SecretIsUnreadable
from sightline.monitor.chat import quiet_time
from sightline.store import webhooks as store
from sightline.store.database import Database
from sightline.store.webhooks import Delivery
from sightline.store.work import Work, finish, hold, put

SECRET_PREFIX = "whsec_"  # noqa: S105
SECRET_BYTES = 32
# Seconds until the next attempt, as the standard recommends.
SCHEDULE = (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
MOST_ANSWER_BYTES = 65_536
_GONE = 410
# What Slack and Teams answer for a channel that was archived or removed, or an address that was revoked.
# Each may be a mistake of the moment, so one is not enough.
CHANNEL_GONE = (403, 404, 410)
GONE_TRIES = 3
_RULES = HostRules(interval_seconds=0.0, connections=4, obey_robots=False)


def new_secret() -> str:
    """A signing secret, as the receiver is shown it once."""
    return SECRET_PREFIX + base64.b64encode(os.urandom(SECRET_BYTES)).decode()


def sign(secret: str, *, message_id: str, timestamp: int, body: str) -> str:
    """One signature of the header webhook-signature."""
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    content = f"{message_id}.{timestamp}.{body}".encode()
    return "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()


def message(kind: str, at: str, data: Any) -> str:
    """The body of a message. The very text that is signed is sent."""
    return json.dumps({"type": kind, "timestamp": at, "data": data}, separators=(",", ":"))


@dataclass(frozen=True)
class Deliverer:
    """Sends deliveries. `fetcher` asks the live web, whatever web the sources read."""

    database: Database
    fetcher: Fetcher
    secrets: SecretBox

    async def run(self, item: Work) -> None:
        """The handler of one delivery."""
        organization_id = OrganizationId(item.organization_id)
        delivery_id = UUID(item.subject)
        async with self.database.tenant(organization_id) as connection:
            delivery = await store.read_delivery(connection, delivery_id)
            if delivery is None or delivery.status != "pending" or not delivery.enabled:
                await finish(connection, item)
                return
        if quiet := quiet_time(now(), delivery.quiet, delivery.zone):
            await self._put_off(item, organization_id, quiet)
            return
        attempt = await self._attempt(delivery)
        delivered = attempt["status"] is not None and 200 <= attempt["status"] < 300
        wait = None if delivered else _wait(len(delivery.attempts))
        disable = _is_over(delivery, attempt["status"])
        if disable is not None:
            wait = None
        status = "delivered" if delivered else "pending" if wait is not None else "failed"
        async with self.database.tenant(organization_id) as connection:
            await hold(connection, item)
            await store.note_attempt(
                connection,
                delivery,
                attempt=attempt,
                status=status,
                next_at=datetime.now(UTC) + wait if wait else None,
                disable=disable,
            )
            await finish(connection, item)
            if wait is not None:
                await put(
                    connection,
                    store.WORK_KIND,
                    item.subject,
                    organization_id=organization_id,
                    delay=wait,
                )

    async def _put_off(self, item: Work, organization_id: OrganizationId, quiet: timedelta) -> None:
        async with self.database.tenant(organization_id) as connection:
            await hold(connection, item)
            await finish(connection, item)
            await put(
                connection,
                store.WORK_KIND,
                item.subject,
                organization_id=organization_id,
                delay=quiet,
            )

    async def _attempt(self, delivery: Delivery) -> dict[str, Any]:
        at = datetime.now(UTC)
        entry: dict[str, Any] = {
            "at": rfc3339(at),
            "status": None,
            "error": None,
        }
        try:
            is_channel = delivery.sealed_url is not None
            headers = {} if is_channel else self._headers(delivery, int(at.timestamp()))
            answer = await self.fetcher.post(
                self.secrets.open(delivery.sealed_url) if delivery.sealed_url else delivery.url,
                json.loads(delivery.body),
                headers=headers,
                rules=_RULES,
                max_bytes=MOST_ANSWER_BYTES,
            )
        except FetchFailed as error:
            # The address of a channel is a secret, and stands in the error.
            entry["error"] = error.sentence if delivery.sealed_url else str(error)[:500]
        except SecretIsUnreadable as error:
            entry["error"] = str(error)
        else:
            entry["status"] = answer.status
            if not answer.ok:
                entry["error"] = f"The endpoint answered {answer.status}."
        entry["seconds"] = round((datetime.now(UTC) - at).total_seconds(), 3)
        return entry

    def _headers(self, delivery: Delivery, timestamp: int) -> dict[str, str]:
        message_id = f"msg_{delivery.delivery_id.hex}"
        signatures: Sequence[str] = [
            sign(
                self.secrets.open(each),
                message_id=message_id,
                timestamp=timestamp,
                body=delivery.body,
            )
            for each in delivery.secrets
        ]
        return {
            "webhook-id": message_id,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": " ".join(signatures),
        }


def _is_over(delivery: Delivery, status: int | None) -> str | None:
    """Why nothing is sent any more after this answer; None where it goes on."""
    if delivery.sealed_url is None:
        return "The endpoint returned 410." if status == _GONE else None
    before = sum(each["status"] in CHANNEL_GONE for each in delivery.attempts)
    if status in CHANNEL_GONE and before + 1 >= GONE_TRIES:
        return f"The channel no longer exists: {delivery.kind.title()} answered {status} {GONE_TRIES} times."
    return None


def _wait(attempts: int) -> timedelta | None:
    """The time until the next attempt after this many before the last one; None after the last."""
    return timedelta(seconds=SCHEDULE[attempts]) if attempts < len(SCHEDULE) else None
