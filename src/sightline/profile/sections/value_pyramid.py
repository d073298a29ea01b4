"""Value pyramid: what the seller's offerings add to what the company wants. Only a model writes it: a keyword
of an offering in a sentence does not say what the one adds to the other."""

from typing import Final

from sightline.profile.contract import OrganizationSection, by_model
from sightline.profile.plans import FRESH, Plan

_LEVEL: Final = "Our value"

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
    build=by_model,
)
