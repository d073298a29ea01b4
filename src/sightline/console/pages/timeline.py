"""The timeline: events at the accounts, newest first."""

from functools import partial

from sightline.console.page import Shown, Visit, listed
from sightline.domain.signals import SignalFamily
from sightline.store.events import events_page

FAMILIES = tuple(str(family) for family in SignalFamily)
# What changed in the data itself, beside what was read of the company.
DATA_TYPES = ("field_changed", "entered_list", "left_list")


async def show(visit: Visit) -> Shown:
    kind = visit.choice("type", (*FAMILIES, *DATA_TYPES))
    async with visit.reading() as connection:
        read = partial(events_page, connection, type=kind or None)
        items, pager = await listed(visit, read)
    return Shown(
        "timeline.html",
        {"events": items, "pager": pager, "type": kind, "types": (*FAMILIES, *DATA_TYPES)},
    )
