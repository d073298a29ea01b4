"""SWOT: figures that moved, and what happened of late; of prose only a model reads for whom it speaks."""

from collections.abc import Sequence
from typing import Final, Literal

from sightline.profile.changes import fresh_signals, of_signal
from sightline.profile.choosing import without_repeats
from sightline.profile.contract import SIGNALS, Section, Statement
from sightline.profile.evidence import Evidence, Signal
from sightline.profile.figures import Place, repeats_amount, rows_of, shown_amounts
from sightline.profile.plans import Plan
from sightline.profile.shapes import SwotEntry

Side = Literal["STRENGTH", "WEAKNESS", "OPPORTUNITY", "THREAT"]
SIDES: Final[tuple[Side, ...]] = ("STRENGTH", "WEAKNESS", "OPPORTUNITY", "THREAT")
_PLACES: Final[dict[Side, Place]] = {"STRENGTH": "for", "WEAKNESS": "against"}
_MOST_FIGURES, _MOST_SIGNALS = 6, 3  # of a side
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


def happened(evidence: Evidence, sides: Sequence[Side] = SIDES) -> list[Statement]:
    """The newest signals that open something, set the company back or threaten it."""
    shown = shown_amounts(evidence)
    fresh = [s for s in fresh_signals(evidence) if not repeats_amount(s.quote, shown)]
    found = (of_signal(s, type=side) for side in sides for s in fresh if side == _side(s))
    rows = without_repeats(found, lambda row: row["name"], most=len(fresh))
    return [row for side in sides for row in _of(side, rows)[:_MOST_SIGNALS]]


def _of(side: Side, rows: Sequence[Statement]) -> list[Statement]:
    return [row for row in rows if row["type"] == side]


def _side(signal: Signal) -> Side | None:
    if signal.type in _SETBACKS:
        return "WEAKNESS"
    if signal.family == "risk":
        return "THREAT"
    return "OPPORTUNITY" if signal.type in _OPENINGS else None


def build(evidence: Evidence) -> list[Statement]:
    rows = happened(evidence)
    for side, place in reversed(_PLACES.items()):
        rows = [*(row | {"type": side} for row in rows_of(evidence, place)[:_MOST_FIGURES]), *rows]
    return [row for side in SIDES for row in _of(side, rows)]


SECTION = Section(
    "swot_analysis",
    "SWOT",
    SwotEntry,
    Plan(
        "What has lately gone well or badly, opens something to it or threatens it, at most three of each"
        " kind: a figure that moved, a launch, deal, approval, case, loss. A threat comes from outside, a"
        " weakness is its own.",
        most=12,
        kinds=SIDES,
        row=lambda kind, name: {"name": name, "type": kind},
    ),
    kinds=("filing", "data", SIGNALS),
    build=build,
)
