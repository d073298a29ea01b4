"""Discovery questions: what to ask, about what the company has said."""

from collections.abc import Mapping, Sequence
from typing import Final

from sightline.profile.composing import composed, ranked, rows_of, said
from sightline.profile.contract import SectionBody, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.seller import Seller

_MOST_QUESTIONS: Final = 10


def build(
    evidence: Evidence, built: Mapping[str, SectionBody], seller: Seller
) -> Sequence[Statement]:
    """Questions to ask, each about something the company has said."""
    kinds = (
        ("strategic_priorities", "How far have you come with “{name}”, and what slows it down?"),
        ("digital_strategies", "Who owns “{name}”, and how do you decide what comes next?"),
        ("goals", "What has to be true for you to reach “{name}”?"),
        ("risks", "How do you deal today with “{name}”?"),
        ("how_they_lose_money", "What would it take to turn “{name}” around?"),
    )
    found: list[Statement] = []
    for section, asks in kinds:
        for row, offering in ranked(rows_of(built, section), seller)[:2]:
            if row.get("level") or not row.get("name"):
                continue
            asked = composed(asks.format(name=row["name"]), said(row), row, about=row["name"])
            if seller.personas:
                asked["ask"] = seller.personas[0]
            if offering is not None:
                asked["offering"] = offering.name
            found.append(asked)
    del evidence
    return found[:_MOST_QUESTIONS]
