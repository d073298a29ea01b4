"""Three whys: why change, why now, why us."""

from collections.abc import Mapping, Sequence

from sightline.profile.composing import answer_to, composed, ranked, rows_of, said, troubles
from sightline.profile.contract import SectionBody, Statement
from sightline.profile.evidence import Evidence, Quote
from sightline.profile.seller import Seller


def build(
    evidence: Evidence, built: Mapping[str, SectionBody], seller: Seller
) -> Sequence[Statement]:
    """Why change, why now, why us; each from what the company or its filings say."""
    problems = ranked(troubles(built), seller)
    aims = ranked(rows_of(built, "goals", "strategic_priorities", "digital_strategies"), seller)
    found: list[Statement] = []
    if problems:
        row, _ = problems[0]
        found.append(composed("Why change?", said(row), row, about=row["name"]))
    now = [s for s in evidence.signals if s.get("quote") and s.get("document_id")]
    if now:
        signal = now[0]
        proof = (Quote(signal["document_id"], signal["quote"]),)
        found.append(
            {
                "name": "Why now?",
                "about": signal.get("title"),
                "description": signal["quote"],
                "sources": proof,
            }
        )
    elif aims:
        row, _ = aims[0]
        found.append(composed("Why now?", said(row), row, about=row["name"]))
    if seller.is_set and (problems or aims):
        row, offering = next(
            (p for p in (*aims, *problems) if p[1] is not None), (aims or problems)[0]
        )
        if answer := answer_to(offering, seller).strip():
            told = any(each["description"] == said(row) for each in found)
            text = answer if told else f"{said(row)} {answer}"
            found.append(composed("Why us?", text, row, about=row["name"]))
    return found
