"""Divisions: business segments with two years of revenue, and what the text says about each."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence, FactSeen, Quote
from sightline.profile.money import day
from sightline.profile.sections.digital_strategies import digital_candidates
from sightline.profile.sections.risks import risk_candidates
from sightline.profile.sections.strategic_priorities import strategy_candidates
from sightline.profile.select import Candidate, candidate, choose
from sightline.profile.sentences import Sentence

_YEAR = range(340, 385)
_MOST_PARTS: Final = 3
_WEAK = re.compile(r"^(?:all )?other|corporate|unallocated|eliminat|reconcil", re.I)
_DESCRIBES = re.compile(
    r"\b(?:includes?|consists?|comprises?|offers?|provides?|designs?|sells?|operates?|serves?"
    r"|develops?|is|are)\b",
    re.I,
)
_CHALLENGE = re.compile(
    r"\b(?:decreas|declin|lower|unfavorabl|pressure|challeng|headwind|weak|offset|loss|adverse|inflation"
    r"|competit|slow|softness|shortage|delay)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Figure:
    """Revenue of a member in a fiscal year."""

    name: str
    amount: float
    start: date
    end: date
    change: float | None
    fact: FactSeen


def yearly(evidence: Evidence, axis: str) -> dict[str, list[Figure]]:
    """Yearly revenue along an axis by member name, the newest year first; only members that the
    newest annual report has."""
    rows: dict[tuple[str, date], Figure] = {}
    for fact in evidence.by_field.get("segment", ()):
        value = fact.value
        if value.get("axis") != axis or value.get("metric") != "revenue":
            continue
        start, end = day(value.get("period_start")), day(value.get("period_end"))
        if start is None or end is None or (end - start).days not in _YEAR:
            continue
        key = (value["name"], end)
        known = rows.get(key)
        if known is None or fact.observed_at > known.fact.observed_at:
            amount, change = float(value["amount"]), value.get("change")
            rows[key] = Figure(value["name"], amount, start, end, change, fact)
    found: dict[str, list[Figure]] = defaultdict(list)
    newest = max((end for _, end in rows), default=None)
    for figure in sorted(rows.values(), key=lambda f: f.end, reverse=True):
        found[figure.name].append(figure)
    kept = {name: figures for name, figures in found.items() if figures[0].end == newest}
    return dict(sorted(kept.items(), key=lambda item: -item[1][0].amount))


def year_labels(evidence: Evidence) -> dict[date, str]:
    """The company's own labels ("FY2025") by the last day of the year."""
    labels: dict[date, str] = {}
    for fact in evidence.by_field.get("fiscal_period", ()):
        label, end = fact.value.get("label") or "", day(fact.value.get("period_end"))
        if label.startswith("FY") and end is not None:
            labels[end] = label
    return labels


def mentions(name: str) -> re.Pattern[str]:
    """How a text speaks of a division: its name, with or without "segment", "&" or "and"."""
    words = re.sub(r"\s*(?:&|\band\b)\s*", " AND ", name).split()
    pattern = r"\s+".join("(?:and|&)" if w == "AND" else re.escape(w) for w in words)
    return re.compile(rf"(?<!\w){pattern}(?!\w)", re.I)


def about(evidence: Evidence, name: str, *, parts: Sequence[str]) -> list[Candidate]:
    """Sentences about a division or region, described ones first."""
    pattern = mentions(name)
    found = []
    for document in evidence.reading:
        sentences = document.sentences
        for place, sentence in enumerate(sentences):
            if sentence.part not in parts:
                continue
            early = pattern.search(sentence.text[:60])
            under = len(sentence.heading or "") <= len(name) + 15 and pattern.search(
                sentence.heading or ""
            )
            if not early and not (under and _first_of_line(sentence)):
                continue
            score = (2.0 if early else 1.2) + (0.8 if under else 0.0)
            if _DESCRIBES.search(sentence.text[: len(name) + 70]):
                score += 0.7
            if sentence.part == "business":
                score += 0.6
            if sentence.dangles and not under:
                continue
            found.append(
                candidate(
                    sentence,
                    follow=sentences[place + 1 : place + 2],
                    score=score,
                    prefer_heading=False,
                )
            )
    return found


def _first_of_line(sentence: Sentence) -> bool:
    return sentence.start - sentence.line < 90


def _named(name: str, candidates: Iterable[Candidate]) -> list[Statement]:
    pattern = mentions(name)
    fitting = [c for c in candidates if pattern.search(c.description) or pattern.search(c.name)]
    return [
        {"name": c.name, "sources": c.quotes, "description": c.description}
        for c in choose(fitting, most=_MOST_PARTS)
    ]


def _key_people(evidence: Evidence, name: str) -> list[Statement]:
    pattern = mentions(name)
    people = []
    seen: set[str] = set()
    for fact in evidence.members("person"):
        title = str(fact.value.get("title") or "")
        person = str(fact.value.get("name") or "")
        if pattern.search(title) and person.casefold() not in seen:
            seen.add(person.casefold())
            people.append(
                {
                    "name": person,
                    "source": fact.source,
                    "description": title,
                    "sources": (fact.proof,),
                }
            )
    return people[:5]


def _division(
    evidence: Evidence,
    figures: list[Figure],
    pools: dict[str, list[Candidate]],
    labels: dict[date, str],
) -> Statement:
    name = figures[0].name
    described = choose(about(evidence, name, parts=("business", "notes", "review")), most=1)
    row: Statement = {
        "division_name": name,
        "division_summary": described[0].description if described else None,
    }
    proofs: list[Quote] = list(described[0].quotes) if described else []
    for prefix, place in (("last_year", 0), ("year_before", 1)):
        figure = figures[place] if place < len(figures) else None
        label = labels.get(figure.end) if figure else None
        row |= {
            f"{prefix}_label": label or (f"FY{figure.end.year}" if figure else None),
            f"{prefix}_financial_year_end": figure.end.isoformat() if figure else None,
            f"{prefix}_revenue_gross": _whole(figure.amount) if figure else None,
            f"{prefix}_gross_revenue_change": figure.change if figure else None,
        }
        if figure:
            proofs.append(figure.fact.proof)
    row["currency"] = figures[0].fact.value.get("currency")
    reviewed = about(evidence, name, parts=("review", "release"))
    pools = pools | {
        "challenges": [
            *pools["challenges"],
            *(c for c in reviewed if _CHALLENGE.search(c.description)),
        ]
    }
    for part in ("priorities", "challenges", "digital_strategies"):
        row[part] = _named(name, pools[part])
    row["key_people"] = _key_people(evidence, name)
    row["sources"] = tuple(proofs)
    return row


def _whole(amount: float) -> float | int:
    return int(amount) if amount == int(amount) else amount


def build(evidence: Evidence) -> list[Statement]:
    figures = yearly(evidence, "business") or yearly(evidence, "product")
    names = [n for n in figures if not _WEAK.search(n)] or list(figures)
    pools: dict[str, Any] = {
        "priorities": strategy_candidates(evidence),
        "challenges": risk_candidates(evidence),
        "digital_strategies": digital_candidates(evidence),
    }
    labels = year_labels(evidence)
    return [_division(evidence, figures[name], pools, labels) for name in names]


SECTION = Section("divisions", ("filing", "data", "page"), build)
