"""Three whys: why change, why now, why us; each about one dated fact, and where an offering of the
seller's is called for, all about that."""

from collections.abc import Sequence
from typing import Final

from sightline.profile.changes import OPENINGS, TROUBLES, Change, changes
from sightline.profile.contract import Built, OrganizationSection, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.offers import called_for, fit, promise, ranked, relevant
from sightline.profile.plans import FRESH, VALUE, Entries, Plan, Why
from sightline.profile.seller import Offering, Seller


def build(evidence: Evidence, built: Built, seller: Seller) -> Sequence[Statement]:
    del built
    found = relevant(seller, changes(evidence))
    offering = _offering(seller, found)
    troubles = ranked(seller, offering, (c for c in found if c.kind in TROUBLES))
    openings = ranked(seller, offering, (c for c in found if c.kind in OPENINGS))
    rows: list[Statement] = []
    if troubles:
        rows.append(_why("Why change?", troubles[0], troubles[0].text, offering))
    now = openings or [each for each in troubles[1:] if each.kind != "standing"]
    if now:
        rows.append(_why("Why now?", now[0], now[0].text, offering))
    if offering is not None and rows:
        about = max((*troubles[:1], *now[:1]), key=lambda each: _fit(seller, offering, each))
        if said := promise(offering):
            text = f"{about.name.rstrip('.')}. {offering.name}: {said}"
            rows.append(_why("Why us?", about, text, offering))
    return rows


def _offering(seller: Seller, found: Sequence[Change]) -> Offering | None:
    """The offering that one fact calls for most."""
    texts = [f"{each.name}. {each.text}" for each in found]
    called = [(text, each) for text in texts if (each := called_for(seller, text)) is not None]
    best = max(called, key=lambda pair: fit(seller, pair[1], pair[0]), default=None)
    return best[1] if best is not None else None


def _fit(seller: Seller, offering: Offering, change: Change) -> float:
    return fit(seller, offering, f"{change.name}. {change.text}")


def _why(name: str, change: Change, text: str, offering: Offering | None) -> Statement:
    row: Statement = {"name": name, "about": change.name, "date": change.day.isoformat()}
    row |= {"offering": offering.name} if offering is not None else {}
    return row | {**change.more, "description": text, "sources": change.quotes}


_TASK: Final = (
    "Answer the three whys for a seller, all about the one of our offerings that the passages call for"
    " most: why change (a problem that it has), why now (something dated, begun or planned, and not"
    " over), why us (what we bring to that problem, only in our own words). Leave out a why that nothing"
    " carries."
)
SECTION = OrganizationSection(
    "three_whys",
    "Three whys",
    plan=Plan(_TASK, Entries[Why], most=3, also=VALUE, past_months=FRESH),
    build=build,
)
