"""Discovery questions: fixed frames over a dated figure, a signal, postings, a risk or a goal."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from sightline.profile.changes import Change, Kind, changes, planned
from sightline.profile.contract import Built, OrganizationSection, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.plans import FRESH, Plan
from sightline.profile.seller import Offering, Seller, called_for

MOST: Final = 8
_MOST_GOALS: Final = 2
_LONGEST_QUOTE: Final = 240  # characters
_LONGEST: Final = 420
# Of each kind so many, each asked in other words.
_FRAMES: Final[dict[Kind, tuple[str, ...]]] = {
    "signal": (
        "“{text}” How does this change your plans?",
        "“{text}” What has to happen next, and who leads it?",
    ),
    "threat": (
        "“{text}” Where does that stand today, and what comes next?",
        "“{text}” What have you changed because of it?",
    ),
    "decline": (
        "{name}. What caused it, and what are you changing first?",
        "{name}. Do you expect that to turn around, and what would it take?",
    ),
    "growth": (
        "{name}. What is hardest to scale at that pace?",
        "{name}. What drives that, and how long do you expect it to last?",
    ),
    "loss": (
        "{name}. Where do you plan to spend less, and where more?",
        "{name}. What has to change first to get back to a profit?",
    ),
    "hiring": ("You have {name}. What do these people have to deliver first?",),
    "risk": (
        "Your latest report adds or rewords this risk: “{name}” What are you doing about it?",
        "“{name}” That is new in your latest report: what made you add it?",
    ),
    "standing": (
        "Your latest report says: “{text}” How do you deal with that today?",
        "“{text}” Which part of that worries you most this year?",
    ),
}
_GOAL: Final = "{it} What still has to happen for that?"


def build(evidence: Evidence, built: Built, seller: Seller) -> Sequence[Statement]:
    """What is out of the ordinary first; of what has long stood in reports only what an offering is called
    for by."""
    shown_before = (row for name in ("three_whys", "value_pyramid") for row in built.get(name, ()))
    said = {row.get("about") for row in shown_before if isinstance(row, dict)}
    found = [c for c in changes(evidence) if c.kind != "standing" or called_for(seller, c.said)]
    found.sort(key=lambda each: not each.is_reason)
    others = [each for each in found if each.name not in said]
    asked = [*_of_changes(seller, others or found), *_of_goals(evidence, built, seller)]
    # Where the seller has said what it sells, questions that an offering answers come first.
    return sorted(_once(asked), key=lambda row: "offering" not in row)[:MOST]


def _once(asked: Sequence[Statement]) -> Iterator[Statement]:
    """Each question once, and one about each quote."""
    seen: set[object] = set()
    for row in asked:
        marks = {row["name"], *row["sources"][:1]}
        if not marks & seen:
            yield row
        seen |= marks


def _of_changes(seller: Seller, found: Sequence[Change]) -> Iterator[Statement]:
    """Of each kind a few; what a why is about comes in only where there is nothing else."""
    count: dict[Kind, int] = {}
    for change in found:
        frames, asked = _FRAMES[change.kind], count.get(change.kind, 0)
        if len(change.text) > _LONGEST or asked == len(frames):
            continue
        count[change.kind] = asked + 1
        yield _row(seller, frames[asked].format(name=change.name, text=change.text), change)


def _of_goals(evidence: Evidence, built: Built, seller: Seller) -> Iterator[Statement]:
    for goal in islice(planned(evidence, built, "goals"), _MOST_GOALS):
        if len(goal.text) <= _LONGEST_QUOTE:
            # What a model wrote is not the company's own words.
            it = goal.text if "method" in goal.more else f"You have said: “{goal.text}”"
            yield _row(seller, _GOAL.format(it=it), goal)


def _row(seller: Seller, question: str, change: Change) -> Statement:
    offering = called_for(seller, change.said)
    return change.framed(f"{question}{_tie(offering)}", offering)


def _tie(offering: Offering | None) -> str:
    return "" if offering is None else f" What would {offering.name} have to do for you there?"


SECTION = OrganizationSection(
    "discovery_questions",
    "Discovery questions",
    plan=Plan(
        "Open questions to ask in a first talk, each about another dated fact of late that one of our"
        " offerings could help with: what happened, was begun, grew or went wrong before what might happen,"
        " and nothing that an offering only touches by its name. `name` is the question, which names the"
        " matter itself, so that no other company could be asked the same; `description` is the fact.",
        most=6,
        past_months=FRESH,
        is_for_offer=True,
    ),
    build=build,
)
