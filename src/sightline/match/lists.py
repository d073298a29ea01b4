"""Two lists against each other: for every left row the right row it is, or that there is none."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from sightline.match.decide import Outcome
from sightline.match.index import LIMIT, Index
from sightline.match.model import shipped_weights
from sightline.match.records import Candidate, Ints
from sightline.match.scoring import Feature, Scored, pair_features, scored

_BATCH: Final = 5_000
_AHEAD: Final = 2.0
"""A claim better by this, in log-odds, has the right row to itself."""


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
    left: Sequence[Candidate], right: Iterable[Candidate], *, threshold: float | None = None
) -> list[Row]:
    """One row for each left record, in order.

    When two left records that are not alike claim one right record, the better claim has it.
    """
    index = Index(right)
    weights = shipped_weights()
    least = weights.threshold if threshold is None else threshold
    best: list[_Best | None] = []
    for start in range(0, len(left), _BATCH):
        best.extend(_best_of(index, left[start : start + _BATCH], weights.margin))
    lost = _lost_claims(left, best, index, least)
    kept = [each for each in best if each is not None]
    if not kept:
        return [Row(record.id, None, 0.0, "no_match", ()) for record in left]
    described = iter(
        scored([""] * len(kept), np.stack([each.features for each in kept]), weights.lists)
    )
    rows = []
    for number, (record, each) in enumerate(zip(left, best, strict=True)):
        if each is None:
            rows.append(Row(record.id, None, 0.0, "no_match", ()))
            continue
        ids = tuple(index.block.ids[row] for row in each.close)
        rows.append(_row(record.id, ids, next(described), least, number in lost))
    return rows


def _best_of(index: Index, records: Sequence[Candidate], margin: float) -> Iterator[_Best | None]:
    block, left_at, right_at, features = index.compare_many(records, limit=LIMIT)
    odds = shipped_weights().lists.log_odds(features)
    order = np.lexsort((-odds, left_at))
    starts = np.searchsorted(left_at[order], np.arange(len(block) + 1))
    for number in range(len(block)):
        rows = order[starts[number] : starts[number + 1]]
        if not len(rows):
            yield None
            continue
        first = rows[0]
        close = [int(right_at[row]) for row in rows if odds[first] - odds[row] < margin]
        yield _Best(int(right_at[first]), float(odds[first]), features[first], tuple(close))


def _lost_claims(
    left: Sequence[Candidate], best: Sequence[_Best | None], index: Index, least: float
) -> set[int]:
    """Left rows whose right row is better claimed by a row that is another company."""
    claims: dict[int, list[int]] = {}
    limit = float(np.log(least / (1 - least)))
    for number, each in enumerate(best):
        if each is not None and each.odds >= limit and len(each.close) == 1:
            claims.setdefault(each.row, []).append(number)
    weaker: list[tuple[int, int]] = []
    for rows in claims.values():
        if len(rows) > 1:
            rows.sort(key=lambda number: -_odds(best[number]))
            weaker.extend((rows[0], number) for number in rows[1:])
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


def _odds(best: _Best | None) -> float:
    return best.odds if best is not None else -np.inf


def _row(left_id: str, ids: tuple[str, ...], best: Scored, least: float, lost: bool) -> Row:
    if best.score < least or lost:
        return Row(left_id, None, best.score, "no_match", best.features, ids)
    if len(ids) > 1:
        return Row(left_id, None, best.score, "ambiguous", best.features, ids)
    return Row(left_id, ids[0], best.score, "matched", best.features, ids)
