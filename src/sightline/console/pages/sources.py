"""Sources and their health."""

from sightline.console.page import Shown, Visit
from sightline.sources.health import DAYS, judge
from sightline.sources.manifests import manifests
from sightline.store.source_states import source_states


async def show(visit: Visit) -> Shown:
    async with visit.reading() as connection:
        states = await source_states(connection, [each.name for each in manifests()], days=DAYS)
    return Shown(
        "sources.html",
        {
            "days": DAYS,
            "sources": [
                (manifest, state, judge(state, manifest))
                for manifest, state in zip(manifests(), states, strict=True)
            ],
        },
    )
