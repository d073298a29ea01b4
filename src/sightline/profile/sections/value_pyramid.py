"""Value pyramid: objectives, strategies, initiatives and challenges, and what the organization adds."""

from collections.abc import Sequence
from typing import Final

from sightline.profile.changes import TROUBLES, Change, changes, current
from sightline.profile.contract import Built, OrganizationSection, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.offers import called_for, promise, relevant
from sightline.profile.plans import VALUE, Entries, Plan, PyramidEntry
from sightline.profile.seller import Seller

_MOST: Final = 2  # of a level
_LEVELS: Final = (
    ("Corporate objective", "goals"),
    ("Business strategy", "strategic_priorities"),
    ("Initiative", "digital_strategies"),
)


def build(evidence: Evidence, built: Built, seller: Seller) -> Sequence[Statement]:
    """From the top: what it wants to reach, what it does for it, what stands in the way, what helps."""
    found: list[Statement] = []
    for level, section in _LEVELS:
        rows = [row for row in built.get(section, ()) if isinstance(row, dict)]
        found += [_level(level, row) for row in current(rows, evidence.today)[:_MOST]]
    happened = relevant(seller, changes(evidence))
    troubles = [each for each in happened if each.kind in TROUBLES][:_MOST]
    found += [_level("Challenge", each.statement(date=each.day.isoformat())) for each in troubles]
    return [*found, *_our_value(seller, happened)]


def _level(level: str, row: Statement) -> Statement:
    kept = {part: value for part, value in row.items() if part not in ("name", "as_of")}
    return {"name": f"{level}: {row['name']}", "level": level, **kept}


def _our_value(seller: Seller, happened: Sequence[Change]) -> list[Statement]:
    """What the offerings bring to the facts that call for them."""
    rows: list[Statement] = []
    for change in happened:
        offering = called_for(seller, change.said)
        if offering is None or not promise(offering) or len(rows) == _MOST:
            continue
        row: Statement = {"name": f"Our value: {change.name}", "level": "Our value"}
        row |= {"offering": offering.name, "date": change.day.isoformat()}
        row |= {"description": f"{change.text} {offering.name}: {promise(offering)}"}
        rows.append(row | {**change.more, "sources": change.quotes})
    return rows


SECTION = OrganizationSection(
    "value_pyramid",
    "Value pyramid",
    plan=Plan(
        "Write a value pyramid from its objectives down to its challenges, and under `Our value` what we"
        " add to one of them that calls for it, in our own words as they are given; nothing where none"
        " does.",
        Entries[PyramidEntry],
        most=16,
        also=VALUE,
    ),
    build=build,
)
