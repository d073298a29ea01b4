"""Alerts: what watches noticed, and where a person has got to with each."""

from functools import partial
from typing import Final, get_args

from sightline.console.page import FormIsInvalid, Moved, NothingHere, Shown, Visit, listed
from sightline.store.alerts import AlertStatus, alerts_page, update_alert

MOVES: Final[tuple[AlertStatus, ...]] = get_args(AlertStatus)
STATUSES: Final = ("new", *MOVES)


async def show(visit: Visit) -> Shown:
    status = visit.choice("status", STATUSES)
    async with visit.reading() as connection:
        read = partial(
            alerts_page,
            connection,
            visit.session.organization_id,
            status=status or None,
            watch_id=None,
            company_id=None,
            assignee=None,
            include_snoozed=False,
            since=None,
        )
        items, pager = await listed(visit, read)
    return Shown(
        "alerts.html",
        {
            "alerts": items,
            "pager": pager,
            "status": status,
            "statuses": STATUSES,
            "moves": (
                ("acknowledged", "Acknowledge"),
                ("resolved", "Resolve"),
                ("dismissed", "Dismiss"),
            ),
        },
    )


async def change(visit: Visit) -> Moved:
    """Move an alert to another status, in the name of the signed-in user."""
    status = next((each for each in MOVES if each == visit.form.get("status")), None)
    if status is None:
        raise FormIsInvalid
    async with visit.writing() as connection:
        found = await update_alert(
            connection,
            visit.session.organization_id,
            visit.path_id("alert_id"),
            status=status,
            given={},
            by=f"user:{visit.session.user_id}",
        )
    if not found:
        raise NothingHere
    view = visit.form.get("view", "")
    query = f"?status={view}" if view in STATUSES else ""
    return Moved(f"/console/alerts{query}", notice="alert_changed")
