"""What the composed sections share: evidence put beside what the organization sells.

Composed by plain rules; what is not a quote are fixed words, names of sections and the
organization's own words. A company of which nothing is known gets nothing.
"""

from collections.abc import Mapping, Sequence

from sightline.profile.contract import SectionBody, Statement
from sightline.profile.sections.custom_insights import stem
from sightline.profile.seller import Offering, Seller


def rows_of(built: Mapping[str, SectionBody], *names: str) -> list[Statement]:
    """The statements of the named sections."""
    return [row for name in names for row in built.get(name) or () if isinstance(row, dict)]


def _words(text: str) -> frozenset[str]:
    return frozenset(stem(w.strip(".,;:()").casefold()) for w in text.split() if len(w) > 3)


def fitting(offerings: Sequence[Offering], row: Statement) -> Offering | None:
    """The offering that shares most words with a statement; None when none shares any."""
    said = _words(f"{row.get('name', '')} {row.get('description', '')}")

    def shared(offering: Offering) -> int:
        own = [
            offering.name,
            offering.description,
            *offering.value_propositions,
            *offering.keywords,
        ]
        return len(said & _words(" ".join(own)))

    best = max(offerings, key=shared, default=None)
    return best if best is not None and shared(best) else None


def ranked(rows: list[Statement], seller: Seller) -> list[tuple[Statement, Offering | None]]:
    """Statements that an offering speaks to come first."""
    paired = [(row, fitting(seller.offerings, row)) for row in rows]
    return sorted(paired, key=lambda pair: pair[1] is None)


def said(row: Statement) -> str:
    """What a statement says."""
    return str(row.get("description") or row.get("name") or "")


def answer_to(offering: Offering | None, seller: Seller) -> str:
    """What the organization offers to it, in its own words."""
    if offering is not None:
        promise = next(iter(offering.value_propositions), offering.description)
        return f" Our {offering.name}: {promise}" if promise else f" We offer {offering.name}."
    if seller.value_propositions:
        return f" We offer: {seller.value_propositions[0]}"
    return ""


def composed(name: str, description: str, row: Statement, **more: object) -> Statement:
    """A statement made of another, with its proof, and the model that wrote it if one did."""
    made = {"name": name, **more, "description": description, "sources": row.get("sources", ())}
    return made | ({"method": row["method"]} if "method" in row else {})
