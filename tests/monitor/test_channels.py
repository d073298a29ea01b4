"""Channels of Slack and Teams: one message a signal, quiet hours, and channels that are gone."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from sightline.api.endpoint import Services
from sightline.domain.callers import OrganizationId
from sightline.kit.ids import new_id
from sightline.monitor import webhooks
from sightline.monitor.chat import chat_message, quiet_time
from sightline.monitor.publish import tell_and_alert
from sightline.monitor.webhooks import GONE_TRIES, Deliverer
from sightline.store.channels import add_channel, channels_of
from sightline.store.database import Database
from sightline.store.events import NewEvent
from sightline.store.webhooks import WORK_KIND
from tests.api.accounts_data import RECORDS, add_accounts
from tests.conftest import Tenant
from tests.monitor.test_webhooks import Receiver, deliver, deliverer, receiver

__all__ = ["deliverer", "receiver"]
EVENT: dict[str, Any] = {
    "id": "1", "signal_id": None, "title": "<!channel> *Buys* Harbor & Sons", "summary": "[x](y)",
    "company": {"name": "Acme <Ltd>"}, "source": {"url": "https://acme.example/news"},
}  # fmt: skip


class Watched:
    """An organization whose watches look at one account and tell channels of it."""

    def __init__(self, database: Database, tenant: Tenant, services: Services) -> None:
        self.database, self.services = database, services
        self.organization_id: OrganizationId = tenant.organization_id
        self.company_id: UUID
        self.account_id: UUID

    async def fill(self) -> None:
        (added, *_) = await add_accounts(self.database, self.organization_id, RECORDS)
        self.company_id = added.company_id
        async with self.database.tenant(self.organization_id) as connection:
            self.account_id = await connection.fetchval(
                "SELECT account_id FROM accounts WHERE company_id = $1", self.company_id
            )

    async def watch(self, name: str) -> UUID:
        watch_id = new_id()
        async with self.database.tenant(self.organization_id) as connection:
            await connection.execute(
                "INSERT INTO watches (organization_id, watch_id, name, kind, families)"
                " VALUES ($1, $2, $3, 'accounts', '{leadership_moves}')",
                self.organization_id,
                watch_id,
                name,
            )
            await connection.execute(
                "INSERT INTO watch_accounts VALUES ($1, $2, $3)",
                self.organization_id,
                watch_id,
                self.account_id,
            )
        return watch_id

    async def channel(self, watch_id: UUID, url: str, **more: Any) -> UUID:
        async with self.database.tenant(self.organization_id) as connection:
            return await add_channel(
                connection,
                watch_id,
                **{
                    "kind": "slack",
                    "shown_url": "https://hooks.slack.com/…",
                    "sealed_url": self.services.secrets.seal(url),
                    "url_digest": url.encode(),
                    "quiet": None,
                    "zone": "UTC",
                }
                | more,
            )

    async def tell(self, story: str, signal_id: UUID | None = None) -> None:
        event = NewEvent(
            story, "hires", "leadership_moves", "Hires a chief", self.company_id,
            signal_id=signal_id, confidence=0.9,
        )  # fmt: skip
        async with self.database.tenant(self.organization_id) as connection:
            await tell_and_alert(connection, [event])

    async def state(self, watch_id: UUID) -> dict[str, Any]:
        async with self.database.tenant(self.organization_id) as connection:
            (found,) = await channels_of(connection, watch_id)
        return found


@pytest.fixture
async def watched(database: Database, tenant: Tenant, services: Services) -> Watched:
    made = Watched(database, tenant, services)
    await made.fill()
    return made


async def test_a_channel_gets_one_message_a_signal(
    watched: Watched, receiver: Receiver, deliverer: Deliverer
) -> None:
    first, second = await watched.watch("one"), await watched.watch("two")
    await watched.channel(first, receiver.url)
    await watched.channel(second, receiver.url)  # the same place by another watch
    signal = new_id()
    await watched.tell("a", signal)
    await watched.tell("b", signal)  # published again, as a clustered signal is
    await watched.tell("c")
    while await deliver(deliverer):
        pass
    assert len(receiver.got) == 2
    headers, body = receiver.got[0]
    assert "webhook-signature" not in headers
    assert "Hires a chief" in json.loads(body)["text"]
    assert (await watched.state(first))["deliveries"][0]["status"] == "delivered"


async def test_an_address_is_a_secret(
    watched: Watched, deliverer: Deliverer, database: Database
) -> None:
    watch_id = await watched.watch("one")
    await watched.channel(watch_id, "http://127.0.0.1:9/services/SECRET")
    await watched.tell("a")
    assert await deliver(deliverer)
    async with database.tenant(watched.organization_id) as connection:
        rows = await connection.fetch("SELECT url, sealed_url, last_error FROM webhooks")
        log = await connection.fetch("SELECT * FROM webhook_deliveries")
    assert rows[0]["last_error"]
    assert "SECRET" not in repr(rows) + repr(log)


async def test_a_channel_that_is_gone_is_shown_and_stops(
    watched: Watched, receiver: Receiver, deliverer: Deliverer
) -> None:
    watch_id = await watched.watch("one")
    await watched.channel(watch_id, receiver.url)
    receiver.status = 404
    await watched.tell("a")
    for tried in range(1, GONE_TRIES + 1):
        async with deliverer.database.connection() as connection:
            await connection.execute("UPDATE work SET ready_at = now()")
        assert await deliver(deliverer)
        state = await watched.state(watch_id)
        assert state["enabled"] is (tried < GONE_TRIES)
    assert state["disabled_reason"] == "The channel no longer exists: Slack answered 404 3 times."
    await watched.tell("b")
    assert not await deliver(deliverer)
    assert len(receiver.got) == GONE_TRIES


async def test_in_quiet_hours_nothing_is_sent(
    watched: Watched,
    receiver: Receiver,
    deliverer: Deliverer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watch_id = await watched.watch("one")
    await watched.channel(watch_id, receiver.url, quiet=(22, 7), zone="Europe/Berlin")
    await watched.tell("a")
    monkeypatch.setattr(webhooks, "now", lambda: datetime(2026, 1, 5, 23, tzinfo=UTC))
    assert await deliver(deliverer)
    assert not receiver.got
    assert not await deliver(deliverer)  # put off to the morning
    async with deliverer.database.connection() as connection:
        wait = await connection.fetchval(
            "SELECT ready_at - now() FROM work WHERE kind = $1", WORK_KIND
        )
        assert timedelta(hours=6) < wait <= timedelta(hours=7)
        await connection.execute("UPDATE work SET ready_at = now()")
    monkeypatch.setattr(webhooks, "now", lambda: datetime(2026, 1, 6, 6, tzinfo=UTC))
    assert await deliver(deliverer)
    assert len(receiver.got) == 1
    assert (await watched.state(watch_id))["deliveries"][0]["tries"] == 1


@pytest.mark.parametrize(
    ("hour", "hours", "waits"),
    [(12, (22, 7), 0), (22, (22, 7), 9), (3, (22, 7), 4), (7, (22, 7), 0), (13, (12, 14), 1),
     (14, (12, 14), 0), (5, (5, 5), 0), (5, None, 0)],
)  # fmt: skip
def test_quiet_hours_may_span_midnight(
    hour: int, hours: tuple[int, int] | None, waits: int
) -> None:
    at = datetime(2026, 1, 5, hour, tzinfo=UTC)
    assert quiet_time(at, hours, "UTC") == timedelta(hours=waits)


def test_quiet_hours_follow_the_clock_of_the_wall() -> None:
    """The night in which summer time begins is an hour shorter."""
    at = datetime(2026, 3, 28, 22, tzinfo=UTC)  # 23:00 in Berlin
    assert quiet_time(at, (22, 7), "Europe/Berlin") == timedelta(hours=7)


def test_text_of_others_neither_mentions_nor_links() -> None:
    slack = json.loads(chat_message("slack", EVENT))
    shown = slack["blocks"][0]["text"]["text"]
    assert "<!channel>" not in shown
    assert "&lt;!channel&gt; *Buys* Harbor &amp; Sons" in shown
    assert "<https://acme.example/news|" in shown
    (attachment,) = json.loads(chat_message("teams", EVENT))["attachments"]
    assert attachment["contentType"] == "application/vnd.microsoft.card.adaptive"
    texts = [block["text"] for block in attachment["content"]["body"]]
    assert texts[2] == "\\[x\\]\\(y\\)"
    assert attachment["content"]["actions"][0]["url"] == "https://acme.example/news"
    bare = EVENT | {"source": {"url": "javascript:alert(1)"}}
    assert "javascript" not in chat_message("slack", bare) + chat_message("teams", bare)
