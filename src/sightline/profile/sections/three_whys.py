"""Three whys: why change, why now, why us; each about one fact that is dated, of late and out of the
ordinary, and calls for what the seller sells. Without such a fact there is none."""

from collections.abc import Sequence
from typing import Final

from sightline.profile.changes import EVENTS, TROUBLES, changes
from sightline.profile.contract import Built, OrganizationSection, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.offers import fit, promise
from sightline.profile.plans import FRESH, Plan
from sightline.profile.seller import Seller


def build(evidence: Evidence, built: Built, seller: Seller) -> Sequence[Statement]:
    """Where the seller has said what it sells, only facts that call for the one offering that is called for
    most, those that do so most first."""
    del built
    found = [each for each in changes(evidence) if each.is_reason]
    offering = max(
        seller.offerings,
        key=lambda each: max((fit(seller, each, c.said) for c in found), default=0.0),
        default=None,
    )
    if offering is not None:
        fits = {each.name: fit(seller, offering, each.said) for each in found}
        found = sorted((c for c in found if fits[c.name]), key=lambda each: -fits[each.name])
    now = next((each for each in found if each.kind in EVENTS), None)
    change = next((each for each in found if each.kind in TROUBLES and each is not now), None)
    asked = (("Why change?", change), ("Why now?", now))
    rows = [about.framed(name, offering) for name, about in asked if about is not None]
    about = now or change
    if about is not None and offering is not None and (promised := promise(offering)):
        text = f"{about.name.rstrip('.')}. {offering.name}: {promised}"
        rows.append(about.framed("Why us?", offering, text=text))
    return rows


_TASK: Final = (
    "Three whys, all about the one of our offerings that a dated fact of late calls for most: why change (a"
    " problem that it has), why now (what has happened, begun or is due), why us (what we bring to that"
    " problem, only in our own words). `name` says what it is about in a few words. None where nothing"
    " calls for what we sell."
)
SECTION = OrganizationSection(
    "three_whys",
    "Three whys",
    plan=Plan(
        _TASK,
        most=3,
        kinds=("Why change?", "Why now?", "Why us?"),
        row=lambda kind, name: {"name": kind, "about": name},
        past_months=FRESH,
        is_for_offer=True,
    ),
    build=build,
)
