"""Slack and Teams channels that receive the alerts of a watch."""

import hashlib
import json
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

from sightline.console.page import FormIsInvalid, Moved, NothingHere, Shown, Visit
from sightline.console.viewer import VIEWER
from sightline.kit.fetch.addresses import parse_url
from sightline.kit.fetch.errors import FetchFailed
from sightline.store.channels import ChatKind, add_channel, channels_of
from sightline.store.organizations import record_audit
from sightline.store.watches import watch_object
from sightline.store.webhooks import count_webhooks, delete_webhook, update_webhook

KINDS: Final[tuple[ChatKind, ...]] = ("slack", "teams")
MOST_CHANNELS: Final = 20
_HOURS: Final = range(24)


class _Refused(ValueError):
    """Nothing was kept; the message says what to change."""


async def change(visit: Visit) -> Shown | Moved:
    """Add a channel, switch one on again, or take one off."""
    watch_id, action = visit.path_id("watch_id"), visit.form.get("action", "")
    if action == "add":
        try:
            await _add(visit, watch_id)
        except _Refused as error:
            return await show(visit, error=str(error))
    elif action in ("resume", "delete"):
        await _change(visit, action)
    else:
        raise FormIsInvalid
    return Moved(f"/console/watches/{watch_id}/channels", notice="watch_changed")


async def _add(visit: Visit, watch_id: UUID) -> None:
    url = visit.form.get("url", "").strip()
    kind = next((kind for kind in KINDS if kind == visit.form.get("kind")), None)
    if kind is None:
        raise FormIsInvalid
    _check_url(visit, url)
    async with visit.writing() as connection:
        if await watch_object(connection, watch_id) is None:
            raise NothingHere
        if await count_webhooks(connection) >= MOST_CHANNELS:
            raise _Refused(f"At most {MOST_CHANNELS} channels and webhooks can be kept.")
        channel_id = await add_channel(
            connection,
            watch_id,
            kind=kind,
            shown_url=f"https://{urlsplit(url).hostname}/…",
            sealed_url=visit.services.secrets.seal(url),
            url_digest=hashlib.sha256(url.encode()).digest(),
            quiet=_quiet(visit),
            zone=str(VIEWER.get().zone),
        )
        actor = f"user:{visit.session.user_id}"
        await record_audit(
            connection, action="create", subject=f"channel:{channel_id}", actor=actor
        )


async def _change(visit: Visit, action: str) -> None:
    channel_id = visit.form_id("id")
    async with visit.writing() as connection:
        if action == "delete":
            found = await delete_webhook(connection, channel_id)
        else:
            found = await update_webhook(
                connection, channel_id,
                url=None, description=None, topics=None, enabled=True
            )  # fmt: skip
    if not found:
        raise NothingHere


def _check_url(visit: Visit, url: str) -> None:
    """Refuse at once what can never be delivered to; names are judged when they are resolved."""
    try:
        parse_url(url, allow=visit.services.allowed_networks)
    except FetchFailed as error:
        raise _Refused(error.sentence) from error
    if not url.lower().startswith("https://"):
        raise _Refused("Must be an https URL.")


def _quiet(visit: Visit) -> tuple[int, int] | None:
    given = [visit.form.get(name, "") for name in ("quiet_from", "quiet_until")]
    if not all(given):
        return None
    hours = [
        int(each) if each.isascii() and each.isdigit() and len(each) < 3 else -1 for each in given
    ]
    if any(hour not in _HOURS for hour in hours):
        raise _Refused("Quiet hours are whole hours from 0 to 23.")
    return hours[0], hours[1]


async def show(visit: Visit, *, error: str | None = None) -> Shown:
    watch_id = visit.path_id("watch_id")
    async with visit.reading() as connection:
        watch = await watch_object(connection, watch_id)
        channels = await channels_of(connection, watch_id)
    if watch is None:
        raise NothingHere
    values = {
        "watch": json.loads(watch), "channels": channels, "error": error, "given": visit.form,
        "hours": _HOURS, "zone": VIEWER.get().zone,
    }  # fmt: skip
    return Shown("channels.html", values)
