"""Value pyramid: objectives, strategies, initiatives and challenges, and what the organization adds."""

from collections.abc import Mapping, Sequence
from typing import Final

from sightline.profile.composing import answer_to, composed, ranked, rows_of, said
from sightline.profile.contract import SectionBody, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.seller import Seller

_MOST: Final = 3


def build(
    evidence: Evidence, built: Mapping[str, SectionBody], seller: Seller
) -> Sequence[Statement]:
    """From the top: what it wants to reach, what it does for it, what stands in the way, what helps."""
    del evidence
    levels = (
        ("Corporate objective", rows_of(built, "goals")),
        ("Business strategy", rows_of(built, "strategic_priorities")),
        ("Initiative", rows_of(built, "digital_strategies")),
        ("Challenge", rows_of(built, "risks")),
    )
    found: list[Statement] = []
    for level, rows in levels:
        for row, _ in ranked(rows, seller)[:_MOST]:
            found.append(composed(f"{level}: {row['name']}", said(row), row, level=level))
    if not found or not seller.is_set:
        return found
    wants = ("goals", "strategic_priorities", "digital_strategies", "risks")
    helped = ranked(rows_of(built, *wants), seller)
    called = [(row, offering) for row, offering in helped if offering is not None]
    for row, offering in called[:_MOST]:
        if answer := answer_to(offering, row):
            found.append(composed(f"Our value: {row['name']}", answer, row, level="Our value"))
    return found
