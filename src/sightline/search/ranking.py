"""Relevance ranking: one score, duplicates removed, a cap per kind of source.

The score is the weighted mean of what `factors` says of a passage, each 0-1; the factors are kept
beside it, so every place in the list can be explained. A new factor is one line there and one row here.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from typing import Final, Literal
from uuid import UUID

from sightline.domain.signals import SignalFamily
from sightline.domain.titles import read_title
from sightline.reading.prose import has_sentence
from sightline.reading.sentences import sentences
from sightline.reading.terms import terms
from sightline.search.bm25 import Floats
from sightline.search.duplicates import Fingerprint, fold
from sightline.search.retrieve import EVERYTHING, Retrieved
from sightline.store.passages import Reach, SourceKind, StoredPassage

Span = tuple[int, int]
Factor = Literal["text", "recency", "specificity", "source", "family", "corroboration"]
# (weight with a request in words, weight of the default request); both columns sum to 1.
WEIGHTS: Final[Mapping[Factor, tuple[float, float]]] = {
    "text": (0.60, 0.46),
    "recency": (0.10, 0.20),
    "specificity": (0.04, 0.06),
    "source": (0.06, 0.08),
    "family": (0.15, 0.13),
    "corroboration": (0.05, 0.07),
}
MAX_HITS_PER_SOURCE = 10
SHARE = 0.85  # of the text score, for each one before of the same family
LEAST_SHARE = 0.4
# What stands in two reports so many days apart is worth so much of what is said for the first time.
REPORTS_APART_DAYS = 80
STANDING = 0.4
# Worth of a family when nothing is asked: what changes a company most comes first.
FAMILIES: Final[Mapping[SignalFamily, float]] = {
    SignalFamily.MATERIAL_CHANGES: 1.0,
    SignalFamily.FUNDING: 0.95,
    SignalFamily.LEADERSHIP_MOVES: 0.9,
    SignalFamily.STRATEGIC_SHIFTS: 0.8,
    SignalFamily.PRODUCT_LAUNCHES: 0.75,
    SignalFamily.RISK: 0.7,
    SignalFamily.HIRING_TRENDS: 0.6,
    SignalFamily.TECHNOLOGY_MENTIONS: 0.5,
}
NO_FAMILY: Final = 0.2
# By kind of source: its worth to someone who prepares a call, and its half-life in days. An insight is
# proven and about one event; a filing is sworn; a page praises itself. News ages in weeks; a filing speaks
# for its period; a page says what is so until it changes.
SOURCES: Final[Mapping[SourceKind, tuple[float, float]]] = {
    "insight": (1.0, 180),
    "filing": (0.9, 180),
    "news": (0.8, 45),
    "web": (0.6, 365),
    "job": (0.5, 45),
    "technology": (0.5, 180),
}
UNDATED: Final = 0.25  # as old as two half-lives: no date is no proof of age
BESIDE: Final = 0.5  # of freshness: where all is old, the newest still comes first
_LONGEST_QUOTE: Final = 320  # characters
_MOST_DETAILS: Final = 3  # numbers, and names, from which a passage is as specific as can be


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked. Without `text` the material changes are."""

    now: datetime
    text: str | None = None
    max_hits_per_source: int = MAX_HITS_PER_SOURCE
    reach: Reach = EVERYTHING


@dataclass(frozen=True, slots=True)
class Hit:
    """One ranked passage and the words of it to show. `factors` are 0-1 before their weights; `duplicates`
    are the passages folded into this one, best first."""

    passage: StoredPassage
    score: float
    factors: Mapping[Factor, float]
    duplicates: Sequence[StoredPassage] = ()
    quote: str = ""


def rank(
    scored: Sequence[tuple[StoredPassage, float]],
    found: Retrieved,
    request: Request,
    *,
    asked: Mapping[SignalFamily, float],
    best: float | None = None,
) -> list[Hit]:
    """Hits among the passages of a company by their text scores (0-1), best first; at most so many of one
    kind of source. Equal scores: the newer first, then by number, so that one request always has one answer.

    `asked` says how much the words of the request speak of each family, 0-1. `best` is the text score that
    counts as 1, by default that of the best."""
    worth = {passage.number: score for passage, score in scored}
    known = _known_factors([passage for passage, _ in scored], request, asked)
    alone = _hits([[passage] for passage, _ in scored], worth, known, request, best)
    vectors = found.vectors([p.number for p, _ in scored if p.origin != "job"])
    groups = _groups([hit.passage for hit in alone], vectors)
    if request.text is None:
        _vary(groups, worth)
    taken: Counter[str] = Counter()
    hits = []
    for hit in _hits(groups, worth, known, request, best):
        own = hit.passage
        taken[own.kind] += 1
        if taken[own.kind] <= request.max_hits_per_source:
            is_asked = request.text is not None
            quote = own.body if own.kind == "insight" else best_part(
                own.body, found.weights, with_headings=is_asked
            )  # fmt: skip
            hits.append(replace(hit, quote=quote))
    return hits


def best_part(
    text: str,
    weights: Mapping[str, float],
    *,
    max_characters: int = _LONGEST_QUOTE,
    with_headings: bool = True,
) -> str:
    """The run of whole sentences within the length that has the most weight of different terms, the shorter
    of equals; without any term the beginning. One sentence that is longer is cut at a space. Without
    headings, it neither begins nor ends with one, or with a row of a table, where the text has sentences."""
    parts = list(sentences(text)) or [(0, len(text))]
    whole = [part for part in parts if with_headings or has_sentence(text[slice(*part)])]
    runs = list(_runs(text, parts, whole or parts, weights, max_characters))
    worth, start, end = max(runs, key=lambda run: (run[0], run[1] - run[2]))
    if not worth:
        _, start, end = max(run for run in runs if run[1] == runs[0][1])
    part = text[start : min(end, start + max_characters)]
    return part if start + len(part) == end else part.rpartition(" ")[0] or part


def _runs(
    text: str, parts: Sequence[Span], ends: Sequence[Span], weights: Mapping[str, float], most: int
) -> Iterator[tuple[float, int, int]]:
    """Runs of parts that begin and end with one of `ends`, and their weights; a longer one alone."""
    have, own = [weights.keys() & set(terms(text[start:end])) for start, end in parts], {*ends}
    for first, (start, _) in enumerate(parts):
        for last, (_, end) in enumerate(parts[first:], first):
            if {parts[first], parts[last]} <= own and (last == first or end - start <= most):
                yield (
                    math.fsum(weights[t] for t in set().union(*have[first : last + 1])),
                    start,
                    end,
                )


def _hits(
    groups: Sequence[Sequence[StoredPassage]],
    worth: Mapping[int, float],
    known: Mapping[int, Mapping[Factor, float]],
    request: Request,
    best: float | None,
) -> list[Hit]:
    """The first of each group with its score, best first."""
    # Relative to the best, so that the weights of the others mean the same in every list.
    best = best or max((worth[own[0].number] for own in groups), default=0.0) or 1.0
    hits = []
    for first, *others in groups:
        publishers = max(len({each.publisher for each in (first, *others)}),
                         *(each.publishers for each in (first, *others)))  # fmt: skip
        found = {
            "text": worth[first.number] / best,
            **known[first.number],
            # Each further source halves the distance to 1; ten copies by one publisher are one source.
            "corroboration": 1.0 - 0.5 ** (max(1, publishers) - 1),
        }
        found = {name: round(found[name], 4) for name in WEIGHTS}
        score = sum(WEIGHTS[name][request.text is None] * value for name, value in found.items())
        hits.append(Hit(first, round(score, 6), found, others))
    return sorted(hits, key=_order)


def _order(hit: Hit) -> tuple[float, float, int]:
    published = hit.passage.published_at
    minutes = published.timestamp() // 60 if published else float("-inf")
    return -hit.score, -minutes, hit.passage.number


def _known_factors(
    every: Sequence[StoredPassage], request: Request, asked: Mapping[SignalFamily, float]
) -> dict[int, dict[Factor, float]]:
    """What of the score of each passage hangs on no other text: by number."""
    ages = {
        each.number: max(0.0, (request.now - each.published_at).total_seconds() / 86_400)
        for each in every
        if each.published_at
    }
    newest: dict[str, float] = {}
    for each in every:
        if each.number in ages:
            newest[each.kind] = min(newest.get(each.kind, math.inf), ages[each.number])
    found: dict[int, dict[Factor, float]] = {}
    for each in every:
        worth, half_life = SOURCES[each.kind]
        age, recency = ages.get(each.number), UNDATED
        if age is not None:  # 1 for now or later, half after one half-life, a third after two
            beside = 0.5 ** ((age - newest[each.kind]) / half_life)
            recency = (1.0 - BESIDE) / (1.0 + age / half_life) + BESIDE * beside
        found[each.number] = {
            "recency": recency,
            "specificity": specificity(each),
            "source": worth,
            "family": _family(each, request, asked),
        }
    return found


def _family(passage: StoredPassage, request: Request, asked: Mapping[SignalFamily, float]) -> float:
    family = SignalFamily(passage.family) if passage.family else None
    worth = FAMILIES[family] if family else NO_FAMILY
    if request.text is None:
        return worth
    return max(asked.get(family, 0.0) if family else 0.0, 0.5 * worth)


def specificity(passage: StoredPassage) -> float:
    """0-1: how many numbers and names amid sentences a passage has."""
    pairs = pairwise(passage.body.split())
    named = {word for before, word in pairs if word[0].isupper() and before[-1] not in ".!?:"}
    numbers = (passage.figures & (2**32 - 1)).bit_count()
    details = min(numbers, _MOST_DETAILS) + min(len(named), _MOST_DETAILS)
    return details / (2 * _MOST_DETAILS)


def _groups(
    ordered: Sequence[StoredPassage], vectors: Mapping[int, Floats]
) -> list[list[StoredPassage]]:
    """Those that tell the same, best first: the same fact in the same or other words, reports of one
    story, and what is quoted from a passage with the passage."""
    # Postings share their words on the employer, and differ by role.
    marks = [
        Fingerprint() if p.origin == "job" else Fingerprint(p.simhash, p.figures) for p in ordered
    ]
    leaders = fold(marks, [vectors.get(each.number) for each in ordered])
    within = _within(ordered)
    stories: dict[str, int] = {}
    passages: dict[int, int] = {}
    groups: dict[int, list[StoredPassage]] = {}
    for place, each in enumerate(ordered):
        leader = leaders[leaders[place]]
        if story := _story(each):
            leader = stories.setdefault(story, leader)
        if each.number in within:
            first = passages.setdefault(within[each.number], place)
            # An insight and its passage tell one thing; two insights of a passage tell two.
            is_other = (each.kind == "insight") != (ordered[first].kind == "insight")
            if leader == place and is_other:
                leader = leaders[first]
        leaders[place] = leader
        groups.setdefault(leader, []).append(each)
    return list(groups.values())


def _story(passage: StoredPassage) -> str:
    """The known signal that a passage reports, or the role of a posting."""
    if passage.origin == "job":
        return f"role {read_title(passage.title).normalized_title}".casefold()
    return str(passage.signal_id or "")


def _within(every: Iterable[StoredPassage]) -> dict[int, int]:
    """By number, the passage of a document that an insight is quoted from; of that passage itself."""
    found: dict[int, int] = {}
    by_document: dict[UUID | None, list[StoredPassage]] = {}
    for each in every:
        by_document.setdefault(each.document_id, []).append(each)
    for document_id, own in by_document.items():
        passages = [each for each in own if each.origin == "passage"]
        found |= {each.number: each.number for each in passages}
        for each in own:
            around = (p.number for p in passages if each.body and each.body in p.body)
            if document_id and each.number not in found and (number := next(around, None)):
                found[each.number] = number
    return found


def _vary(groups: Sequence[Sequence[StoredPassage]], worth: dict[int, float]) -> None:
    """Each further one of a family tells less that is new, and so counts for less; so does what others of
    its kind said in an earlier report."""
    seen: Counter[str | None] = Counter()
    for group in groups:
        first = group[0]
        times = [each.published_at for each in group
                 if each.published_at and each.kind == first.kind]  # fmt: skip
        is_standing = times and (max(times) - min(times)).days >= REPORTS_APART_DAYS
        if is_standing and not _story(first):
            worth[first.number] *= STANDING
        worth[first.number] *= max(LEAST_SHARE, SHARE ** seen[first.family])
        seen[first.family] += 1
