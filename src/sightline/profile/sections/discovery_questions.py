"""Discovery questions: what to ask, about what the company has said."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from sightline.profile.composing import composed, persona_for, ranked, rows_of, said
from sightline.profile.contract import SectionBody, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.seller import Seller

_MOST_QUESTIONS: Final = 10
# Of what costs are made up is no question; why they rose is.
_MOVED = re.compile(
    r"\b(?:loss(?:es)?|increas\w+|decreas\w+|declin\w+|rose|fell|higher|lower|restructuring|impairment"
    r"|severance|deficit)\b",
    re.I,
)


def _can_be_asked(section: str, row: Statement) -> bool:
    name = str(row.get("name") or "")
    return bool(name) and (section != "how_they_lose_money" or _MOVED.search(name) is not None)


def build(
    evidence: Evidence, built: Mapping[str, SectionBody], seller: Seller
) -> Sequence[Statement]:
    """Questions to ask, each about something the company has said."""
    kinds = (
        ("strategic_priorities", "How far have you come with “{name}”, and what slows it down?"),
        ("digital_strategies", "Who owns “{name}”, and how do you decide what comes next?"),
        ("goals", "What has to be true for you to reach “{name}”?"),
        ("risks", "How do you deal today with “{name}”?"),
        ("how_they_lose_money", "What is behind “{name}”, and what do you do about it?"),
    )
    found: list[Statement] = []
    for section, asks in kinds:
        rows = [row for row in rows_of(built, section) if _can_be_asked(section, row)]
        for row, offering in ranked(rows, seller)[:2]:
            asked = composed(asks.format(name=row["name"]), said(row), row, about=row["name"])
            if persona := persona_for(seller, row, offering):
                asked["ask"] = persona
            if offering is not None:
                asked["offering"] = offering.name
            found.append(asked)
    del evidence
    return found[:_MOST_QUESTIONS]
