"""Three whys: why change, why now, why us; each about one fact that is dated, of late and out of the
ordinary, and calls for what the seller sells. Without such a fact there is none."""

from collections.abc import Sequence
from typing import Final

from sightline.profile.changes import EVENTS, TROUBLES, Change, changes
from sightline.profile.contract import Built, OrganizationSection, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.plans import FRESH, Plan
from sightline.profile.seller import Offering, Seller, most_called_for, promise


def build(evidence: Evidence, built: Built, seller: Seller) -> Sequence[Statement]:
    """Where the seller has said what it sells, only facts that call for the one offering that is called for
    most, those that do so most first."""
    del built
    offering, found = _called_for(seller, [each for each in changes(evidence) if each.is_reason])
    now = next((each for each in found if each.kind in EVENTS), None)
    change = next((each for each in found if each.kind in TROUBLES and each is not now), None)
    asked = (("Why change?", change), ("Why now?", now))
    rows = [about.framed(name, offering) for name, about in asked if about is not None]
    about = now or change
    if about is not None and offering is not None and (promised := promise(offering)):
        text = f"{about.name.rstrip('.')}. {offering.name}: {promised}"
        rows.append(about.framed("Why us?", offering, text=text))
    return rows


def _called_for(
    seller: Seller, found: Sequence[Change]
) -> tuple[Offering | None, Sequence[Change]]:
    """The offering that is called for most, and the changes that call for it, those that do most first; all
    of them where there is no offering."""
    offering, fits = most_called_for(seller, [each.said for each in found])
    if offering is None:
        return None, found
    ranked = sorted(zip(found, fits, strict=True), key=lambda pair: -pair[1])
    return offering, [each for each, fitting in ranked if fitting]


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
