"""Discovery questions: fixed frames over what of late calls for an offering."""

from collections.abc import Sequence
from typing import Final

from sightline.profile.changes import Change, Kind, changes
from sightline.profile.contract import Built, OrganizationSection, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.plans import FRESH, Plan
from sightline.profile.seller import Offering, Seller, called_for

MOST: Final = 4
_FRAMES: Final[dict[Kind, str]] = {
    "event": "{said} What has to happen next, and who leads it?",
    "setback": "{said} Where does that stand today, and what comes next?",
    "loss": "{said} What drove that, and what is planned about it?",
    "growth": "{said} What drove that, and what does it take to go on?",
    "postings": "{said} What is being built with these, and who decides on it?",
}


def build(evidence: Evidence, built: Built, seller: Seller) -> Sequence[Statement]:
    """What a why is about is not asked about again."""
    shown = (row for name in ("three_whys", "value_pyramid") for row in built.get(name, ()))
    said = {row.get("about") for row in shown if isinstance(row, dict)}
    found = (each for each in changes(evidence, built) if each.name not in said)
    return [_row(o, each) for each in found if (o := called_for(seller, each.said))][:MOST]


def _row(offering: Offering, change: Change) -> Statement:
    is_quoted = change.kind in ("event", "setback") and "method" not in change.row
    fact = change.name if change.text.startswith(change.name) else change.text
    said = f"“{fact}”" if is_quoted else fact
    tie = f" What would {offering.name} have to do for you there?"
    return change.framed(_FRAMES[change.kind].format(said=said) + tie, offering)


SECTION = OrganizationSection(
    "discovery_questions",
    "Discovery questions",
    plan=Plan(
        "Open questions to ask in a first talk, each about another dated fact of late on which one of our"
        " offerings could act: what happened, was begun, grew or went wrong before what might happen, and"
        " nothing that an offering only touches by its name. `name` is the question: it names the matter and"
        " asks what the passages leave open and the offering turns on (how it is done today, what stands in"
        " the way, what it costs, what comes next), not for the fact again. `description` is the fact.",
        most=6,
        past_months=FRESH,
        is_for_offer=True,
    ),
    build=build,
)
