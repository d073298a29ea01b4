"""Three whys: why change (a loss, a figure that fell, a setback) and why now (what happened of late), about
the one offering that these call for most. Without such a fact there is none; why us, only a model says."""

from collections.abc import Sequence
from typing import Final

from sightline.profile.changes import changes
from sightline.profile.contract import Built, OrganizationSection, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.plans import FRESH, Plan
from sightline.profile.seller import Seller, most_called_for


def build(evidence: Evidence, built: Built, seller: Seller) -> Sequence[Statement]:
    """Those that call for the offering do so most first; all of them where there is no offering."""
    found = changes(evidence, built)
    offering, fits = most_called_for(seller, [each.said for each in found])
    if offering is not None:
        ranked = sorted(zip(found, fits, strict=True), key=lambda pair: -pair[1])
        found = [each for each, fitting in ranked if fitting]
    now = next((each for each in found if each.kind in ("event", "setback")), None)
    change = next(
        (each for each in found if each.kind in ("setback", "loss") and each is not now), None
    )
    asked = (("Why change?", change), ("Why now?", now))
    return [about.framed(name, offering) for name, about in asked if about is not None]


_TASK: Final = (
    "Three whys, all about the one of our offerings that a dated fact of late calls for most: why change (a"
    " problem that it has), why now (what has happened, begun or is due), why us (what we bring to that"
    " problem, only in our own words). `name` says what it is about in a few words. All three or none: none"
    " where no fact with a day or year calls for what that offering does, which a word in common with it does"
    " not yet. Each `description` says the fact with its day, each another; the last alone says by name what"
    " the offering does, in our own words."
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
        together=("Why change?", "Why now?", "Why us?"),
    ),
    build=build,
)
