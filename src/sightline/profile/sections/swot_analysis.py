"""SWOT: figures and what happened first, then the company's own sentences."""

from collections.abc import Iterator
from typing import Final, Literal

from sightline.profile.changes import fresh_signals, of_signal
from sightline.profile.choosing import statement_of, without_repeats
from sightline.profile.contract import SIGNALS, Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.figures import rows_of
from sightline.profile.plans import Plan
from sightline.profile.shapes import SwotEntry

Side = Literal["STRENGTH", "WEAKNESS", "OPPORTUNITY", "THREAT"]
_SIDES: Final[dict[str, Side]] = {
    "strength": "STRENGTH", "weakness": "WEAKNESS", "opportunity": "OPPORTUNITY", "threat": "THREAT",
}  # fmt: skip
PER_SIDE: Final = 6
_MOST_SIGNALS: Final = 3  # of a side
# Types of signals that open something, and those that are trouble of the company's own; hiring and moves of
# people are shown elsewhere.
_OPENINGS: Final = (
    "receives_financing", "goes_public", "invests_into", "acquires", "merges_with", "spins_off", "launches",
    "material_agreement", "is_developing", "integrates_with", "receives_approval", "partners_with",
    "signs_new_client", "expands_to", "opens_new_location",
)  # fmt: skip
_SETBACKS: Final = (
    "cost_cutting", "layoffs", "closes_offices_in", "discontinues", "ends_agreement", "bankruptcy",
    "restates", "writes_down", "recalls", "defaults", "control_weakness",
)  # fmt: skip


def _happened(evidence: Evidence, side: Side) -> list[Statement]:
    """The newest signals that open something, set the company back or threaten it."""
    of_side = (
        of_signal(each) for each in fresh_signals(evidence) if side == _side(each.family, each.type)
    )
    return list(of_side)[:_MOST_SIGNALS]


def _side(family: str, kind: str) -> Side | None:
    if kind in _SETBACKS:
        return "WEAKNESS"
    if family == "risk":
        return "THREAT"
    return "OPPORTUNITY" if kind in _OPENINGS else None


def _rows(evidence: Evidence, side: Side) -> Iterator[Statement]:
    """Everything that may stand on a side, in the order in which it is shown."""
    if side in ("STRENGTH", "WEAKNESS"):
        yield from rows_of(evidence, "for" if side == "STRENGTH" else "against")
    yield from _happened(evidence, side)
    for judged in evidence.chosen.get("swot_analysis", ()):
        if _SIDES[judged.label] == side:
            yield statement_of(judged.sentence, evidence)


def _said(row: Statement) -> str:
    """What tells a row from others: of figures, whose sentences are alike, the name."""
    is_quoted = any(quote.text for quote in row["sources"])
    return str(row["description"] if is_quoted else row["name"])


def build(evidence: Evidence) -> list[Statement]:
    others = (each for name, each in evidence.chosen.items() if name != "swot_analysis")
    beside = [each.sentence.text for chosen in others for each in chosen]
    found: list[Statement] = []
    for side in _SIDES.values():
        own = without_repeats(_rows(evidence, side), _said, most=PER_SIDE, beside=beside)
        beside += map(_said, own)
        found += [row | {"type": side} for row in own]
    return found


SECTION = Section(
    "swot_analysis",
    "SWOT",
    SwotEntry,
    Plan(
        "What has lately gone well or badly, opens something to it or threatens it, at most three of each"
        " kind: a figure that moved, a launch, deal, approval, case, loss. A threat comes from outside, a"
        " weakness is its own.",
        most=12,
        kinds=("STRENGTH", "WEAKNESS", "OPPORTUNITY", "THREAT"),
        row=lambda kind, name: {"name": name, "type": kind},
    ),
    kinds=("filing", "data", "page", "posting", "feed_item", "news", SIGNALS),
    build=build,
    labels=tuple(_SIDES),
)
