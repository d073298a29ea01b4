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
    now = openings or [each for each in troubles[1:] if each.kind != "standing"]
    asked = (("Why change?", troubles[:1]), ("Why now?", now[:1]))
    rows = [each.framed(name, offering) for name, chosen in asked for each in chosen]
    if offering is not None and rows and (promised := promise(offering)):
        about = max((*troubles[:1], *now[:1]), key=lambda each: fit(seller, offering, each.said))
        text = f"{about.name.rstrip('.')}. {offering.name}: {promised}"
        rows.append(about.framed("Why us?", offering, text=text))
    return rows


def _offering(seller: Seller, found: Sequence[Change]) -> Offering | None:
    """The offering that one fact calls for most."""
    called = [(c.said, each) for c in found if (each := called_for(seller, c.said)) is not None]
    best = max(called, key=lambda pair: fit(seller, pair[1], pair[0]), default=None)
    return best[1] if best is not None else None


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
