"""Divisions: business segments with two years of revenue, and what the text says about each."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence, FactSeen, Quote
from sightline.profile.judging import is_good_news, is_of_the_past
from sightline.profile.money import change_of, day, periods
from sightline.profile.sections.digital_strategies import digital_candidates
from sightline.profile.sections.risks import risk_candidates
from sightline.profile.sections.strategic_priorities import strategy_candidates
from sightline.profile.segments_named import listed_segments
from sightline.profile.select import Candidate, candidate, choose
from sightline.profile.sentences import Sentence

_YEAR = range(340, 385)
_MOST_PARTS: Final = 3
WHOLE: Final = 1.005  # divisions that exceed the company's revenue by more sell to each other
# What is left over or reconciles; "Other Bets" and "Corporate & Investment Bank" are divisions.
LEFT_OVER: Final = re.compile(
    r"^(?:(?:all )?others?(?: (?:segments?|business(?:es)?|operations|activities|revenues?|items"
    r"|net|and .*|products?.*|services?.*|categories))?"
    r"|corporate(?:,? (?:and|&) (?:all )?(?:other|eliminations|unallocated).*"
    r"| (?:items|expenses?|other))?|.*\b(?:unallocated|eliminations?"
    r"|inter-?segment|reconcil\w+).*)$",
    re.I,
)
_DESCRIBES = re.compile(
    r"\b(?:includes?|consists?|comprises?|offers?|provides?|designs?|sells?|operates?|serves?"
    r"|develops?|is|are)\b",
    re.I,
)
_CHALLENGE = re.compile(
    r"\b(?:decreas|declin|lower|unfavorabl|pressure|challeng|headwind|weak|loss|adverse|inflation"
    r"|competit|slow|softness|shortage|delay)",
    re.I,
)
# "Streaming revenues": the division is called streaming.
_LINE_OF = re.compile(r"(?<=\w) (?:net )?(?:revenues?|sales)$", re.I)
# How a year went, who leads it and against whom does not say what a division does.
_NO_SUMMARY = re.compile(
    r"\b(?:in|de)creas|\bcompar(?:ed|ative)\b|\b(?:Mr|Ms|Mrs)\.|\bserved as\b|\bcompet(?:e|es|itors?|ition)\b"
    r"|\bIPO\b|\bproceeds\b|\bshares of\b|\bprimarily due to\b|\bstand-alone\b|\b(?:could|may|might)\b"
    r"|\b(?:earnings|income|loss) from operations\b|\bsegment results\b|\brevenue is recogni[sz]ed\b"
    r"|\bcosts? of\b|\bnet sales (?:was|were)\b|\bgrew\b|\bdeclined\b|\bcash flows?\b|\bgoodwill\b"
    r"|\bcontracts at\b|\bpricing\b|\bdriven by\b|\b(?:un)?favorabl[ey]\b|\bbenefits? from\b"
    r"|\bchallenges\b|\bcompetitive\b|\bstrategy\b|\bconsolidate",
    re.I,
)
# What lessens a good year is no challenge, and lower costs are none.
_ASIDE = re.compile(
    r"(?:partially |partly |more than )?offset by[^.]*|\b(?:lower|decrease[sd]? in|declin\w+ in)"
    r" (?:\w+ ){0,3}?(?:costs?|expenses?|losses|charges|tax\w*|investments?)\b",
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
    pattern = r",?\s+".join("(?:and|&)" if w == "AND" else re.escape(w.strip(",")) for w in words)
    return re.compile(rf"(?<!\w){pattern}(?!\w)", re.I)


def spoken_of(evidence: Evidence, name: str) -> re.Pattern[str]:
    """`mentions`, or the letters that a filing puts behind the name: "Rail and Road (“RR”)"."""
    full = mentions(name)
    short = re.compile(
        rf"{full.pattern}[^().]{{0,12}}\([“\"]?(?P<letters>[A-Z]{{2,6}})[”\"]?\)", re.I
    )
    for document in evidence.reading:
        found = short.search(document.text) if document.form is not None else None
        if found and found["letters"].isupper():
            return re.compile(rf"(?:(?i:{full.pattern})|\b{found['letters']}\b)")
    return full


def about(evidence: Evidence, name: str, *, parts: Sequence[str]) -> list[Candidate]:
    """Sentences about a division or region, described ones first."""
    pattern = spoken_of(evidence, name)
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


def _named(
    name: str, candidates: Iterable[Candidate], others: Sequence[re.Pattern[str]]
) -> list[Statement]:
    """What speaks of a division, and not of several."""
    pattern = mentions(name)
    fitting = [
        c
        for c in candidates
        if (pattern.search(c.description) or pattern.search(c.name))
        and not any(other.search(c.description) for other in others)
    ]
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
    name: str,
    figures: list[Figure],
    *,
    pools: dict[str, list[Candidate]],
    others: Sequence[re.Pattern[str]],
    labels: dict[date, str],
) -> Statement:
    said = about(evidence, name, parts=("business", "notes", "review"))
    described = choose(
        (c for c in said if not _NO_SUMMARY.search(c.description)), most=1, named=False
    )
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
            f"{prefix}_gross_revenue_change": change_of(figure.change) if figure else None,
        }
        if figure:
            proofs.append(figure.fact.proof)
    row["currency"] = figures[0].fact.value.get("currency") if figures else None
    reviewed = about(evidence, name, parts=("review", "release"))
    pools = pools | {
        "challenges": [
            *pools["challenges"],
            *(
                c
                for c in reviewed
                if _CHALLENGE.search(_ASIDE.sub("", c.description))
                and not is_good_news(c.description)
                and not is_of_the_past(c.description, evidence.by_id[c.quotes[0].document_id].year)
            ),
        ]
    }
    used: set[str] = set()
    for part in ("priorities", "challenges", "digital_strategies"):
        told = _named(name, pools[part], others)
        row[part] = [each for each in told if each["description"] not in used]
        used |= {each["description"] for each in row[part]}
    row["key_people"] = _key_people(evidence, name)
    row["sources"] = tuple(proofs)
    return row


def _plain_names(figures: Mapping[str, Sequence[Figure]]) -> dict[str, str]:
    """Names without words that the tags of all share, where a table shows that one goes without:
    of "Rail Lines North", "Rail Lines South" and "West", tagged RailLinesWest, "North" and "South"."""
    names = list(figures)
    tagged = {
        n: str(rows[0].fact.value.get("member") or "").split(":")[-1] for n, rows in figures.items()
    }
    for name in names:
        words = name.split()
        for size in range(len(words) - 1, 1, -1):
            shared, squeezed = " ".join(words[:size]) + " ", "".join(words[:size]).casefold()
            bare = [n for n in names if not n.startswith(shared)]
            if len(bare) < len(names) - 1 and any(
                tagged[n].casefold().startswith(squeezed) for n in bare
            ):
                return {n: n.removeprefix(shared) for n in names}
    return {n: _LINE_OF.sub("", n) for n in names}


def revenue_of(evidence: Evidence, end: date) -> FactSeen | None:
    """The company's revenue of the fiscal year that ends on a day; None when it is not known."""
    years = periods(evidence, "revenue").items()
    return next((f for (label, last), f in years if last == end and label.startswith("FY")), None)


def _overlap(evidence: Evidence, figures: Mapping[str, Sequence[Figure]]) -> bool:
    """Whether the divisions together exceed the company's revenue of their year."""
    total = revenue_of(evidence, next(iter(figures.values()))[0].end)
    whole = sum(rows[0].amount for rows in figures.values())
    return total is not None and whole > total.value["amount"] * WHOLE


def _whole(amount: float) -> float | int:
    return int(amount) if amount == int(amount) else amount


def build(evidence: Evidence) -> list[Statement]:
    by_segment = yearly(evidence, "business")
    figures = by_segment or yearly(evidence, "product")
    listed = None if figures else listed_segments(evidence)
    if listed is not None:
        figures = {name: [] for name in listed.names}
    names = [n for n in figures if not LEFT_OVER.search(n)] or list(figures)
    if not names:
        return []
    pools: dict[str, Any] = {
        "priorities": strategy_candidates(evidence),
        "challenges": risk_candidates(evidence),
        "digital_strategies": digital_candidates(evidence),
    }
    labels = year_labels(evidence)
    plain = _plain_names(figures) if listed is None else {name: name for name in names}
    overlap = listed is None and _overlap(evidence, figures)
    rows = [
        _division(
            evidence,
            plain[name],
            figures[name],
            pools=pools,
            others=[mentions(plain[other]) for other in names if other != name],
            labels=labels,
        )
        for name in names
    ]
    for row in rows:
        row["basis"] = "business segment" if by_segment or listed else "product line"
        row["includes_sales_between_divisions"] = overlap
        if listed is not None:
            said = Quote(listed.sentence.document.document_id, listed.sentence.text)
            row["sources"] = (said, *row["sources"])
    return rows


SECTION = Section("divisions", ("filing", "data", "page"), build)
