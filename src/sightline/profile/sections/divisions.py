"""Divisions: business segments with two years of revenue, and statements about each one."""

import re
from collections.abc import Sequence
from typing import Final

from sightline.profile.choosing import chosen_of
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence, FactSeen, Quote
from sightline.profile.parts import LONGER, mentions, part_of
from sightline.profile.sections import competitors
from sightline.profile.segments import (
    divisions,
    exceed_whole,
    short_name,
    whole_number,
    year_label,
    yearly,
)
from sightline.profile.sentences import Sentence, names_in
from sightline.profile.shapes import Division
from sightline.reading.prose import stands_alone

_MOST_PARTS: Final = 3
_MOST_PEOPLE: Final = 5
_LEAST_NEAR: Final = 0.05  # cosine to what says what a company does
_PARTS: Final = (
    ("priorities", ("goals", "strategic_priorities")),
    ("challenges", ("risks",)),
    ("digital_strategies", ("digital_strategies",)),
)


def _summary(evidence: Evidence, name: str, others: Sequence[re.Pattern[str]]) -> Sentence | None:
    """What comes nearest to saying what a division does: of what the business of the annual report says of it
    and no other, below its heading or with its name in front."""
    own, reach = mentions(name), len(name) + LONGER
    near = {each.sentence: each.describes for each in evidence.judged}

    def is_told(each: Sentence) -> bool:
        heading, head = each.heading or "", each.text[:reach]
        is_below = len(heading) <= reach and bool(own.search(heading))
        is_alone = is_below and not names_in(each, f"{evidence.name} {name}")
        is_its = is_alone or (stands_alone(head) and bool(own.search(head)))
        is_apart = each.part == "business" and not competitors.HEADING.search(heading)
        is_plain = is_apart and not any(other.search(each.text) for other in others)
        return is_its and is_plain and not evidence.is_past_year(each)

    told = filter(is_told, evidence.annual.sentences if evidence.annual is not None else ())
    best = max(told, key=lambda each: near.get(each, 0.0), default=None)
    return best if best is not None and near.get(best, 1.0) >= _LEAST_NEAR else None


def _key_people(evidence: Evidence, name: str) -> list[Statement]:
    pattern = mentions(name)
    people: dict[str, Statement] = {}
    for fact in evidence.members("person"):
        title, person = str(fact.value.get("title") or ""), str(fact.value.get("name") or "")
        if pattern.search(title):
            row = {"name": person, "source": fact.source, "description": title}
            people.setdefault(person.casefold(), row | {"sources": (fact.proof,)})
    return list(people.values())[:_MOST_PEOPLE]


def _division(
    evidence: Evidence, name: str, figures: Sequence[FactSeen], *, others: Sequence[re.Pattern[str]]
) -> Statement:
    summary = _summary(evidence, name, others)
    row: Statement = {"division_name": name, "division_summary": summary.text if summary else None}
    proofs = [Quote(summary.document.document_id, summary.text)] if summary else []
    for prefix, place in (("last_year", 0), ("year_before", 1)):
        figure = figures[place] if place < len(figures) else None
        row |= {
            f"{prefix}_label": year_label(evidence, figure.end) if figure else None,
            f"{prefix}_financial_year_end": figure.value["period_end"] if figure else None,
            f"{prefix}_revenue_gross": whole_number(figure.amount) if figure else None,
            f"{prefix}_gross_revenue_change": figure.signed_change if figure else None,
        }
        if figure:
            proofs.append(figure.proof)
    row["currency"] = figures[0].value.get("currency")
    own = mentions(name)

    def is_of_it(each: Sentence) -> bool:
        part = part_of(evidence, each.document.document_id, each.start)
        is_named = own.search(each.text) or (part is not None and part.name == name)
        return bool(is_named) and not any(o.search(each.text) for o in others)

    for part, sections in _PARTS:
        row[part] = chosen_of(evidence, *sections, fits=is_of_it)[:_MOST_PARTS]
    return row | {"key_people": _key_people(evidence, name), "sources": tuple(proofs)}


def build(evidence: Evidence) -> list[Statement]:
    figures = divisions(evidence)
    if not figures:
        return []
    tagged = yearly(evidence, "business")
    shared: Statement = {"basis": "business segment" if tagged else "product line"}
    overlap = exceed_whole(evidence, tagged or yearly(evidence, "product"))
    shared["includes_sales_between_divisions"] = overlap
    patterns = {name: mentions(short_name(name)) for name in figures}
    others = {n: [own for other, own in patterns.items() if other != n] for n in figures}
    return [
        _division(evidence, short_name(name), rows, others=others[name]) | shared
        for name, rows in figures.items()
    ]


SECTION = Section("divisions", "Divisions", Division, kinds=("filing", "data", "page"), build=build)
