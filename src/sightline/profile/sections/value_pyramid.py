"""Value pyramid: what the seller's offerings add to what the company wants, and to what stands in its way.

What it wants and what happened stands in other sections; without an offering there is nothing to add.
"""

from collections.abc import Sequence
from itertools import islice
from typing import Final

from sightline.profile.changes import Change, changes, planned
from sightline.profile.contract import Built, OrganizationSection, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.plans import FRESH, VALUE, Plan
from sightline.profile.seller import Seller, called_for, promise

_MOST: Final = 4
_LEVEL: Final = "Our value"


def build(evidence: Evidence, built: Built, seller: Seller) -> Sequence[Statement]:
    """From what it has set out to do to what happened; nothing that a why is about."""
    said = {row.get("about") for row in built.get("three_whys", ()) if isinstance(row, dict)}
    changed = (each for each in changes(evidence) if each.kind != "standing")
    found = [*planned(evidence, built, *VALUE[:3]), *changed]
    rows = (_row(seller, each) for each in found if each.name not in said)
    return list(islice(filter(None, rows), _MOST))


def _row(seller: Seller, about: Change) -> Statement | None:
    """What the offering that a fact calls for most brings to it."""
    offering = called_for(seller, about.said)
    if offering is None or not (promised := promise(offering)):
        return None
    text = f"{about.text} {offering.name}: {promised}"
    return about.framed(f"{_LEVEL}: {offering.name}", offering, text=text) | {"level": _LEVEL}


SECTION = OrganizationSection(
    "value_pyramid",
    "Value pyramid",
    plan=Plan(
        "One line from an objective of the company that calls for what we sell, with figure or day, down to"
        " the challenge in its way, and under `Our value` what we add to it, in our own words as they are"
        " given; all of it about one matter, each level another fact. Nothing where no dated objective and"
        " challenge call for it, or where it would say what the whys say.",
        most=5,
        kinds=("Corporate objective", "Business strategy", "Initiative", "Challenge", _LEVEL),
        row=lambda kind, name: {"name": f"{kind}: {name}", "level": kind},
        past_months=FRESH,
        is_for_offer=True,
        together=("Challenge", _LEVEL),
    ),
    build=build,
)
