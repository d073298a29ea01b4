"""Matches two lists: for every left row the same company on the right, or none."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from sightline.match.decide import Outcome
from sightline.match.features import FEATURES, Matrix, leads_without
from sightline.match.index import LIMIT, Index
from sightline.match.model import probability, shipped_weights
from sightline.match.records import Candidate, Flags, Floats, Ints
from sightline.match.scoring import Feature, Scored, pair_features, scored

_BATCH: Final = 5_000
_AHEAD: Final = 2.0
"""A claim better by this, in log-odds, has the right row to itself."""
_CLEAR: Final = 2.2
"""Log-odds, nine to one, from which on a best candidate is taken for the right one."""
_TAKEN: Final = 0.2
"""Probability from which on another company counts as one that might be taken for the right one."""
_SEEN: Final = 2.0
"""How many such companies are assumed seen, as often as expected, before any is counted."""
_CHANCE: Final = (0.05, 2.0)
"""Least and most that likeness by chance is taken to be, against what is usual."""


@dataclass(frozen=True, slots=True)
class Row:
    """The outcome for one left row. ``right_id`` is None unless the decision is "matched"."""

    left_id: str
    right_id: str | None
    score: float
    decision: Outcome
    features: tuple[Feature, ...]
    candidates: tuple[str, ...] = ()


@dataclass(slots=True)
class _Best:
    """The best candidate of one left row."""

    row: int
    odds: float
    features: np.ndarray[tuple[int, ...], np.dtype[np.float32]]
    close: tuple[int, ...]


def match_lists(
    left: Sequence[Candidate],
    right: Iterable[Candidate],
    *,
    threshold: float | None = None,
) -> list[Row]:
    """One row for each left record, in order.

    When two left records that are not alike claim one right record, the better claim has it. Scores
    are calibrated to the two lists: see _chance.
    """
    index = Index(right)
    weights = shipped_weights()
    least = weights.threshold if threshold is None else threshold
    best, others = _best_of_all(index, left, weights.margin)
    kept = [each for each in best if each is not None]
    if not kept:
        return [Row(record.id, None, 0.0, "no_match", ()) for record in left]
    chance = _chance(np.array([each.odds for each in kept]), others, len(left))
    for known in kept:
        known.odds -= float(np.log(chance))
    lost = _lost_claims(left, best, index, least)
    scores = scored([""] * len(kept), np.stack([each.features for each in kept]), weights.lists)
    likeness = Feature("chance_likeness", round(chance, 4), round(-float(np.log(chance)), 4))
    described = _calibrated(scores, [each.odds for each in kept], likeness)
    rows = []
    for number, (record, each) in enumerate(zip(left, best, strict=True)):
        if each is None:
            rows.append(Row(record.id, None, 0.0, "no_match", ()))
        else:
            ids = tuple(index.block.ids[row] for row in each.close)
            rows.append(_row(record.id, ids, next(described), least, number in lost))
    return rows


def _best_of_all(
    index: Index, left: Sequence[Candidate], margin: float
) -> tuple[list[_Best | None], Floats]:
    """`_best_of` all records, some thousands at a time."""
    parts = [
        _best_of(index, left[start : start + _BATCH], margin)
        for start in range(0, len(left), _BATCH)
    ]
    best = [each for found, _ in parts for each in found]
    return best, np.concatenate([others for _, others in parts] or [np.zeros(0, np.float32)])


def _best_of(
    index: Index, records: Sequence[Candidate], margin: float
) -> tuple[list[_Best | None], Floats]:
    """The best candidate of each record, and the log-odds of other companies: of each record whose best
    is clear, what the best of the others would have were that one not in the list.
    """
    left_at, right_at, features = index.compare_many(records, limit=LIMIT)
    odds = shipped_weights().lists.log_odds(features)
    order = np.lexsort((-odds, left_at))
    starts = np.searchsorted(left_at[order], np.arange(len(records) + 1))
    found: list[_Best | None] = []
    for number in range(len(records)):
        rows = order[starts[number] : starts[number + 1]]
        if not len(rows):
            found.append(None)
            continue
        first = rows[0]
        close = [int(right_at[row]) for row in rows if odds[first] - odds[row] < margin]
        found.append(_Best(int(right_at[first]), float(odds[first]), features[first], tuple(close)))
    clear = np.array([each is not None and each.odds >= _CLEAR for each in found], np.bool_)
    gone = np.zeros(len(odds), np.bool_)
    gone[order[starts[:-1][clear]]] = True
    return found, _others(len(records), features, odds, left_at, gone)[clear]


def _others(records: int, features: Matrix, odds: Floats, left_at: Ints, gone: Flags) -> Floats:
    """By record the most of its candidates' log-odds without those ``gone``; far below 0 for none."""
    lead = FEATURES.index("lead")
    steps = shipped_weights().lists.steps[lead]
    left = odds[~gone]
    if steps is not None:
        left = left + steps.of(leads_without(features, left_at, gone))
        left = left - steps.of(features[~gone, lead])
    most = np.full(records, -30, np.float32)
    np.maximum.at(most, left_at[~gone], left)
    return most


def _chance(best: Floats, others: Floats, asked: int) -> float:
    """How often another company is like the one asked for, against what the model expects: 1 is usual.

    Rows with a clear partner tell it: they are asked again as if the partner were not there. Odds
    divided by this are right for these two lists, be there many sisters and namesakes or none.
    """
    scores, rest = probability(best), probability(others)
    unlike = asked - float(scores.sum())
    expected = float((1 - scores)[scores >= _TAKEN].sum()) / max(unlike, 1) * len(rest)
    seen = float((rest >= _TAKEN).sum())
    return float(np.clip((seen + _SEEN) / (expected + _SEEN), *_CHANCE))


def _calibrated(rows: Sequence[Scored], odds: Sequence[float], chance: Feature) -> Iterator[Scored]:
    scores = probability(np.array(odds, np.float32)).tolist()
    for row, score, each in zip(rows, scores, odds, strict=True):
        yield Scored(row.id, round(score, 4), each, (*row.features, chance))


def _lost_claims(
    left: Sequence[Candidate], best: Sequence[_Best | None], index: Index, least: float
) -> set[int]:
    """Left rows whose right row is better claimed by a row that is another company."""
    limit = float(np.log(least / (1 - least)))
    weaker = _weaker_claims(best, limit)
    if not weaker:
        return set()
    involved = sorted({number for pair in weaker for number in pair})
    place = {number: at for at, number in enumerate(involved)}
    block = index.read([left[number] for number in involved])
    strong: Ints = np.array([place[one] for one, _ in weaker], np.int32)
    weak: Ints = np.array([place[other] for _, other in weaker], np.int32)
    alike = shipped_weights().pairs.log_odds(pair_features(block, strong, block, weak))
    return {
        number
        for (winner, number), odds in zip(weaker, alike.tolist(), strict=True)
        # Equal claims are left alone: nothing says which of them is wrong.
        if _odds(best[winner]) - _odds(best[number]) > (0.5 if odds < limit else _AHEAD)
    }


def _weaker_claims(best: Sequence[_Best | None], limit: float) -> list[tuple[int, int]]:
    """The best claim on each right row with each of the others on it."""
    claims: dict[int, list[int]] = {}
    for number, each in enumerate(best):
        if each is not None and each.odds >= limit and len(each.close) == 1:
            claims.setdefault(each.row, []).append(number)
    weaker: list[tuple[int, int]] = []
    for rows in claims.values():
        first, *others = sorted(rows, key=lambda number: -_odds(best[number]))
        weaker.extend((first, number) for number in others)
    return weaker


def _odds(best: _Best | None) -> float:
    return best.odds if best is not None else -np.inf


def _row(left_id: str, ids: tuple[str, ...], best: Scored, least: float, lost: bool) -> Row:
    if best.score < least or lost:
        return Row(left_id, None, best.score, "no_match", best.features, ids)
    if len(ids) > 1:
        return Row(left_id, None, best.score, "ambiguous", best.features, ids)
    return Row(left_id, ids[0], best.score, "matched", best.features, ids)
