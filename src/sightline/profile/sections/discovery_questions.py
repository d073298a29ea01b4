"""Discovery questions: fixed frames over what the profile says of late."""

from collections.abc import Sequence
from typing import Final

from sightline.profile.changes import Change, Kind, changes
from sightline.profile.contract import Built, OrganizationSection, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.plans import FRESH, Plan
from sightline.profile.seller import Offering, Seller, called_for

MOST: Final = 4
_MOST_ALONE: Final = 2  # without an offering
_LONGEST: Final = 320  # characters of what is asked about
_FRAMES: Final[dict[Kind, str]] = {
    "event": "{said} What has to happen next, and who leads it?",
    "setback": "{said} Where does that stand today, and what comes next?",
    "loss": "{said} What drove that, and what is planned about it?",
    "growth": "{said} What drove that, and what does it take to go on?",
    "postings": "{said} What is being built with these, and who decides on it?",
}


def build(evidence: Evidence, built: Built, seller: Seller) -> Sequence[Statement]:
    """About what calls for an offering; else about the first change of each of two kinds. What a why is about
    is asked about only where there is nothing else."""
    shown = (row for name in ("three_whys", "value_pyramid") for row in built.get(name, ()))
    said = {row.get("about") for row in shown if isinstance(row, dict)}
    found = [each for each in changes(evidence, built) if len(each.text) <= _LONGEST]
    found = [each for each in found if each.name not in said] or found
    called = [(called_for(seller, each.said), each) for each in found]
    tied = [_row(offering, each) for offering, each in called if offering is not None]
    first = {each.kind: each for each in reversed(found)}
    alone = [_row(None, each) for each in found if first[each.kind] is each]
    return tied[:MOST] or alone[:_MOST_ALONE]


def _row(offering: Offering | None, change: Change) -> Statement:
    tie = f" What would {offering.name} have to do for you there?" if offering else ""
    is_quoted = change.kind in ("event", "setback") and "method" not in change.row
    said = f"“{change.text}”" if is_quoted else change.text
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
