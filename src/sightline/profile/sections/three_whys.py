"""Three whys: why change, why now, why us. Where an offering is called for, all three are about it."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from sightline.profile.composing import (
    answer_to,
    composed,
    fit,
    fitting,
    ranked,
    rows_of,
    said,
    troubles,
)
from sightline.profile.contract import SectionBody, Statement
from sightline.profile.evidence import Evidence, Quote
from sightline.profile.seller import Offering, Seller

_FRESH: Final = timedelta(days=365)
_AIMS: Final = ("goals", "strategic_priorities", "digital_strategies")
# Of signals that no offering fits, those that move budgets come first.
_WEIGHTY: Final = ("funding", "material_changes", "strategic_shifts", "leadership_moves", "risk")
_SLIGHT: Final = ("board_change", "earnings_released", "technology_mentioned_in_job")


def build(
    evidence: Evidence, built: Mapping[str, SectionBody], seller: Seller
) -> Sequence[Statement]:
    """Why change, why now, why us; each from what the company or its filings say."""
    problems, aims = troubles(built), rows_of(built, *_AIMS)
    offering = _called_for(seller, problems, aims)
    about = Seller(offerings=(offering,)) if offering is not None else Seller()
    ranked_problems = [row for row, _ in ranked(problems, about)]
    ranked_aims = [row for row, _ in ranked(aims, about)]
    found: list[Statement] = []
    if ranked_problems:
        row = ranked_problems[0]
        found.append(composed("Why change?", said(row), row, about=row["name"]))
    if (now := _of_signals(evidence, offering)) is not None:
        found.append(now)
    elif ranked_aims:
        row = ranked_aims[0]
        found.append(composed("Why now?", said(row), row, about=row["name"]))
    if offering is not None:
        row = max((*ranked_problems[:1], *ranked_aims[:1]), key=lambda each: fit(offering, each))
        if answer := answer_to(offering, row):
            found.append(composed("Why us?", answer, row, about=row["name"]))
    return found


def _called_for(
    seller: Seller, problems: Sequence[Statement], aims: Sequence[Statement]
) -> Offering | None:
    """The offering that a problem and an aim together call for most; None when nothing calls."""

    def points(offering: Offering) -> int:
        return sum(
            max((fit(offering, row) for row in rows), default=0) for rows in (problems, aims)
        )

    best = max(seller.offerings, key=points, default=None)
    if best is None or not any(fitting((best,), row) for row in (*problems, *aims)):
        return None
    return best


def _of_signals(evidence: Evidence, offering: Offering | None) -> Statement | None:
    """The newest happening of the last year that calls for the offering, else one that weighs."""
    fresh = [
        signal
        for signal in evidence.signals
        if signal.get("quote")
        and signal.get("document_id")
        and signal.get("type") not in _SLIGHT
        and evidence.now - (signal.get("occurred_at") or signal["detected_at"]) <= _FRESH
    ]
    best = min(fresh, key=lambda signal: _place(signal, offering), default=None)
    if best is None:
        return None
    return {
        "name": "Why now?",
        "about": best.get("title"),
        "description": best["quote"],
        "sources": (Quote(best["document_id"], best["quote"]),),
    }


def _place(signal: Mapping[str, Any], offering: Offering | None) -> tuple[int, int]:
    """Where a signal stands among others, the newest of the same first."""
    told = {"name": "", "description": f"{signal.get('title') or ''}. {signal['quote']}"}
    called = offering is not None and fit(offering, told) > 0
    family = signal.get("family")
    return int(not called), _WEIGHTY.index(family) if family in _WEIGHTY else len(_WEIGHTY)
