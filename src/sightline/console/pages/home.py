"""Home: next steps for a new workspace, and recent events."""

import json
from typing import Any, Final

from sightline.console.page import FormIsInvalid, Moved, Shown, Visit
from sightline.store.administration import users_page
from sightline.store.alerts import alerts_page
from sightline.store.database import Tenant
from sightline.store.events import events_page
from sightline.store.keys import list_keys
from sightline.store.pages import Slice
from sightline.store.sample import count_companies, remove_sample
from sightline.store.seller_context import read_context

_ADMINS: Final = ("owner", "admin")
_ROWS: Final = Slice(6)
# The key that the first start makes for the person who started it.
_MADE_AT_START: Final = "sightline up"


async def show(visit: Visit) -> Shown:
    async with visit.reading() as connection:
        own, sample = await count_companies(connection)
        alerts, waiting, _ = await alerts_page(connection, status="new", part=_ROWS)
        events, _, _ = await events_page(connection, background=False, part=_ROWS)
        steps = await _steps(visit, connection, own=own)
    return Shown(
        "home.html",
        {
            "steps": steps if not all(step["done"] for step in steps) else [],
            "done": sum(step["done"] for step in steps),
            "sample": sample,
            "alerts": json.loads(alerts),
            "waiting": waiting,
            "events": json.loads(events),
        },
    )


async def _steps(visit: Visit, connection: Tenant, *, own: bool) -> list[dict[str, Any]]:
    """What a new workspace needs, in the order of its use, and whether it is done."""
    context, _ = await read_context(connection)
    _, users, _ = await users_page(connection, part=Slice(1))
    keys = [
        key for key in await list_keys(connection) if not key["name"].startswith(_MADE_AT_START)
    ]
    steps: list[tuple[str, str, str, str, bool]] = [
        ("Import your accounts", "A CSV or Excel file from your CRM. Columns are mapped for you.",
         "/console/imports/new", "upload", own),
        ("Describe what you sell", "Tailors reasons, scores and questions to your offering.",
         "/console/settings/selling", "spark", any(context.values())),
        ("Add a language model", "Optional. It writes text where you otherwise get quotes.",
         "/docs", "ask", visit.services.model is not None),
    ]  # fmt: skip
    if visit.session.role in _ADMINS:
        steps += [
            ("Invite a colleague", "As an admin or a member.",
             "/console/settings/users", "people", users > 1),
            ("Create an API key", "For your CRM, scripts and agents.",
             "/console/settings/keys", "key", bool(keys)),
        ]  # fmt: skip
    names = ("title", "advice", "href", "icon", "done")
    return [dict(zip(names, step, strict=True)) for step in steps]


async def change_sample(visit: Visit) -> Moved:
    """Remove the sample companies; for owners and admins. Raises FormIsInvalid."""
    if visit.session.role not in _ADMINS or visit.form.get("action") != "remove":
        raise FormIsInvalid
    async with visit.writing() as connection:
        await remove_sample(connection)
    return Moved("/console/home", notice="sample_removed")
