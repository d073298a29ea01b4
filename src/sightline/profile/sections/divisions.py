"""Divisions: business segments with two years of revenue, and statements about each one."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from sightline.profile.choosing import chosen_of
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence, FactSeen, Quote
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
_MOST_OPENING: Final = 4  # sentences under a heading, or with the name at their beginning
# Cosines to what says what a company does, from which a sentence describes a division: below its heading,
# and with its name in front.
_DESCRIBES, _NAMES = 0.2, 0.05
_LONGER_HEADING: Final = 15  # characters beside the division's name
_PARTS: Final = (
    ("priorities", ("goals", "strategic_priorities")),
    ("challenges", ("risks",)),
    ("digital_strategies", ("digital_strategies",)),
)


def mentions(name: str) -> re.Pattern[str]:
    """How a text names a division: its name, with "&" or "and"."""
    words = name.replace("&", " AND ").replace(" and ", " AND ").split()
    pattern = r",?\s+".join("(?:and|&)" if w == "AND" else re.escape(w.strip(",")) for w in words)
    return re.compile(rf"(?<!\w){pattern}(?!\w)", re.I)


def _is_named(pattern: re.Pattern[str], text: str) -> bool:
    """Whether a text names a division; one word alone is a name with a capital only."""
    return any(" " in each[0] or each[0][0].isupper() for each in pattern.finditer(text))


def _of_business(evidence: Evidence) -> Iterator[Sentence]:
    """What the annual report says of the business, of no past year and not of competition."""
    for each in evidence.annual.sentences if evidence.annual is not None else ():
        is_other = each.part != "business" or competitors.HEADING.search(each.heading or "")
        if not is_other and not evidence.is_past_year(each):
            yield each


def _named(evidence: Evidence, name: str) -> tuple[list[Sentence], list[Sentence]]:
    """The first sentences under the division's own heading that name it, and those that begin with it."""
    pattern, reach = mentions(name), len(name) + _LONGER_HEADING
    below: list[Sentence] = []
    beginning: list[Sentence] = []
    for sentence in _of_business(evidence):
        heading, head = sentence.heading or "", sentence.text[:reach]
        if len(heading) <= reach and pattern.search(heading):
            is_alone = not names_in(sentence, f"{evidence.name} {name}")
            is_told = pattern.search(sentence.text) if is_alone else None
            below += [sentence] if is_told or _is_named(pattern, sentence.text) else []
        elif stands_alone(head) and _is_named(pattern, head):
            beginning.append(sentence)
    return below[:_MOST_OPENING], beginning[:_MOST_OPENING]


def _summary(evidence: Evidence, name: str, others: Sequence[re.Pattern[str]]) -> Sentence | None:
    """Of the sentences about a division and no other the one that comes nearest to saying what it does;
    where none was read, the first."""
    below, beginning = (
        [each for each in found if not any(_is_named(other, each.text) for other in others)]
        for found in _named(evidence, name)
    )
    near = {each.sentence: each.describes for each in evidence.judged}
    scored = [
        (near[each], each)
        for found, least in ((below, _DESCRIBES), (beginning, _NAMES))
        for each in found
        if near.get(each, 0.0) >= least
    ]
    if scored:
        return max(scored, key=lambda pair: pair[0])[1]
    unread = below if below and below[0] not in near else beginning if not near else []
    return next(iter(unread), None)


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
    row: Statement = {
        "division_name": name,
        "division_summary": summary.text if summary else None,
    }
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
        return bool(own.search(each.text)) and not any(o.search(each.text) for o in others)

    for part, sections in _PARTS:
        row[part] = chosen_of(evidence, *sections, fits=is_of_it)[:_MOST_PARTS]
    row["key_people"] = _key_people(evidence, name)
    return row | {"sources": tuple(proofs)}


def build(evidence: Evidence) -> list[Statement]:
    figures = divisions(evidence)
    if not figures:
        return []
    tagged = yearly(evidence, "business")
    whole = tagged or yearly(evidence, "product")
    overlap = exceed_whole(evidence, whole)
    patterns = {name: mentions(short_name(name)) for name in figures}
    rows = []
    for name in figures:
        others = [pattern for other, pattern in patterns.items() if other != name]
        row = _division(evidence, short_name(name), figures[name], others=others)
        row["basis"] = "business segment" if tagged else "product line"
        row["includes_sales_between_divisions"] = overlap
        rows.append(row)
    return rows


SECTION = Section(
    "divisions",
    "Divisions",
    Division,
    kinds=("filing", "data", "page"),
    build=build,
)
