"""Alerts and their triage."""

import json
from datetime import timedelta
from functools import partial
from typing import Any, Final, get_args

from sightline.console.page import FormIsInvalid, Moved, NothingHere, Shown, Visit, listed
from sightline.kit.clock import now
from sightline.store.administration import users_page
from sightline.store.alerts import AlertStatus, alerts_page, update_alert
from sightline.store.pages import Slice
from sightline.store.watches import watches_page

INBOX: Final = "new"
VIEWS: Final = (INBOX, *get_args(AlertStatus), "all")
# Status, what the button says, and its key.
MOVES: Final = (
    ("acknowledged", "Acknowledge", "e"),
    ("resolved", "Resolve", "r"),
    ("dismissed", "Dismiss", "d"),
)
_MOST_WATCHES: Final = 200
_MOST_USERS: Final = 200
_LONGEST_NOTE: Final = 5_000


async def show(visit: Visit) -> Shown:
    """The inbox: what is still open; other views by status, `all` with what is snoozed."""
    view = visit.choice("status", VIEWS) or INBOX
    async with visit.reading() as connection:
        read = partial(
            alerts_page,
            connection,
            status=None if view == "all" else view,
            include_snoozed=view == "all",
        )
        items, pager = await listed(visit, read)
        stored, _, _ = await watches_page(connection, part=Slice(_MOST_WATCHES))
        users, _, _ = await users_page(connection, part=Slice(_MOST_USERS))
    emails = {user["id"]: user["email"] for user in json.loads(users)}
    return Shown(
        "alerts.html",
        {
            "alerts": items,
            "pager": pager,
            "view": view,
            "views": VIEWS,
            "watches": {watch["id"]: watch["name"] for watch in json.loads(stored)},
            "emails": emails | {f"user:{key}": email for key, email in emails.items()},
            "now": now().isoformat(),
            "moves": MOVES,
        },
    )


async def change(visit: Visit) -> Moved:
    """Move, assign or snooze an alert, or write a note to it, in the name of the signed-in user."""
    status, given = _change(visit)
    async with visit.writing() as connection:
        if not await update_alert(
            connection,
            visit.path_id("alert_id"),
            status=status,
            given=given,
            by=f"user:{visit.session.user_id}",
        ):
            raise NothingHere
    view = visit.form.get("view", "")
    query = f"?status={view}" if view in VIEWS and view != INBOX else ""
    return Moved(f"/console/alerts{query}", notice="alert_changed")


def _change(visit: Visit) -> tuple[AlertStatus | None, dict[str, Any]]:
    """The status and the other values that the form asks for. Raises FormIsInvalid."""
    form = visit.form
    status = next((each for each in get_args(AlertStatus) if each == form.get("status")), None)
    if status is not None:
        return status, {}
    if "note" in form:
        return None, {"note": form["note"].strip()[:_LONGEST_NOTE] or None}
    if form.get("assign") in ("me", "no-one"):
        return None, {"assignee": visit.session.user_id if form["assign"] == "me" else None}
    days = {"off": 0, "1": 1, "7": 7, "30": 30}.get(form.get("snooze", ""))
    if days is None:
        raise FormIsInvalid
    return None, {"snoozed_until": now() + timedelta(days=days) if days else None}
