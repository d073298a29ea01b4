"""Search across companies: one query over the evidence of many accounts, with results by company.

PostgreSQL chooses the best passages by the words they have; their vectors and BM25 order them.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate
from typing import Final
from uuid import UUID

import numpy as np

from sightline.domain.signals import SignalFamily
from sightline.reading.terms import terms
from sightline.reading.vectors import cosines
from sightline.search import bm25
from sightline.search.bm25 import Floats, Weights
from sightline.search.ranking import Hit, Request, rank
from sightline.search.relevance import asked_families, matching
from sightline.search.retrieve import COSINE, Retrieved, retriever, scored
from sightline.store import evidence_search, passages
from sightline.store.database import Connection
from sightline.store.evidence_search import Row
from sightline.store.passages import StoredPassage

CANDIDATES: Final = 2_000  # whose vectors are compared
READ: Final = 200  # of them whose texts are read
SCANNED: Final = 20_000  # passages that the words of a question may choose from, about
_RARE: Final = 0.0005  # share of all passages that a term has which the planner does not count


@dataclass(frozen=True)
class Group:
    """The hits of a company; `score` is that of its best match, 0-1. They are ranked when they are first
    looked at, as most groups are never shown."""

    company_id: UUID
    score: float
    rank: Callable[[], list[Hit]]

    @cached_property
    def hits(self) -> list[Hit]:
        """Best first; 0.3 ms."""
        return self.rank()


async def search_companies(
    connection: Connection, company_ids: Sequence[UUID], request: Request
) -> list[Group]:
    """Companies with a passage that matches, best first. `request` must have a text."""
    text = request.text or ""
    wanted = tuple(terms(text))
    (vector,) = await retriever().encode([text])
    extent = await evidence_search.read_extent(connection, company_ids)
    if not wanted or not extent.searched:
        return []
    shares = await evidence_search.frequencies(connection, wanted)
    containing = {term: round(shares.get(term, _RARE) * extent.indexed) for term in wanted}
    weights = Weights.of(wanted, containing, max(1, extent.indexed))
    rows = await evidence_search.best_passages(
        connection,
        company_ids,
        request.reach,
        weights=weights.idf,
        any_of=_telling_apart(containing, SCANNED * extent.indexed / extent.searched),
        limit=CANDIDATES,
    )
    chosen = await asyncio.to_thread(_nearest, rows, vector, weights)
    read = await passages.read_passages(connection, [(r.company_id, r.number) for r, _ in chosen])
    own = [(read.get((row.company_id, row.number)), alike) for row, alike in chosen]
    stored = [(passage, alike) for passage, alike in own if passage]
    return await asyncio.to_thread(_grouped, stored, weights, request, await asked_families(vector))


def _telling_apart(containing: Mapping[str, int], most: float) -> list[str]:
    """The rarest terms, as many as together choose no more than so many passages; the rarest always."""
    rarest_first = sorted(containing, key=lambda term: containing[term])
    totals = accumulate(containing[term] for term in rarest_first)
    several = [term for term, total in zip(rarest_first, totals, strict=True) if total <= most]
    return several or rarest_first[:1]


def _nearest(
    rows: Sequence[Row], vector: Floats | None, weights: Weights
) -> list[tuple[Row, float]]:
    """Rows whose texts are worth reading, each with its cosine."""
    alike = np.zeros(len(rows), np.float32)
    own = [at for at, row in enumerate(rows) if row.vector]
    if vector is not None and own:
        packed = [rows[at].vector or b"" for at in own]
        known = np.maximum(cosines(b"".join(packed), list(map(len, packed)), vector), 0.0)
        alike[:] = known.mean()
        alike[own] = known
    words = np.array([row.score for row in rows], np.float32) * (bm25.K1 + 1.0) / weights.ideal
    best = np.argsort(-(words + COSINE * alike), kind="stable")[:READ]
    return [(rows[at], float(alike[at])) for at in best.tolist()]


def _grouped(
    stored: Sequence[tuple[StoredPassage, float]],
    weights: Weights,
    request: Request,
    asked: Mapping[SignalFamily, float],
) -> list[Group]:
    lengths = np.array([passage.words for passage, _ in stored], np.float32)
    alike = np.array([near for _, near in stored], np.float32)
    relative = lengths / max(1.0, float(lengths.mean())) if len(lengths) else lengths
    own = [passage for passage, _ in stored]
    found = Retrieved(scored(own, [(weights, alike)], relative), weights.idf)
    groups: dict[UUID, list[tuple[StoredPassage, float]]] = {}
    for passage, score in matching(found):
        groups.setdefault(passage.company_id, []).append((passage, score))
    best = max((score for some in groups.values() for _, score in some), default=0.0)
    found_groups = [
        Group(
            company_id,
            round(max(score for _, score in some), 4),
            partial(rank, some, found, request, asked=asked, best=best),
        )
        for company_id, some in groups.items()
    ]
    return sorted(found_groups, key=lambda group: (-group.score, str(group.company_id)))
