"""Floors of relevance without a request: how many of the first passages tell what changed.

Judged by reading, for a seller who prepares a call: 1 for a happening, a result or a plan that is said of
the time of the report, 0 for what is always so, could be, or was said above. What nobody judged counts
as 0, so a change of the ranking is to be read before its judgements are added.
"""

import json
from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import numpy as np
import pytest

from sightline.search.analysis import Analyser
from sightline.search.candidates import Columns, Setting
from sightline.search.ranking import rank
from sightline.search.shortlist import by_cues, per_kind
from sightline.search.units import units_of
from sightline.store.indexable import Content, Key
from tests.eval.archive import ArchivePassage, company_passages

NOW = datetime(2026, 11, 1, tzinfo=UTC)
SHOWN = 8
# Mean share of the first passages that are useful; the least of a company.
PRECISION_FLOOR = 0.76
WORST_FLOOR = 0.5


def content(passage: ArchivePassage) -> Content:
    return Content(
        key=Key("passage", UUID(int=0), passage.start),
        title=passage.heading,
        text=passage.text,
        kind="filing",
        section=None,
        url=passage.url,
        published_at=datetime.fromisoformat(passage.date).replace(tzinfo=UTC),
        document_id=UUID(int=0),
        start_at=passage.start,
    )


def first_passages(passages: list[ArchivePassage], analyser: Analyser) -> list[ArchivePassage]:
    """What the default request shows first of a company's passages."""
    units = [
        (unit.candidate, passage)
        for passage in passages
        for unit in units_of(content(passage), "", (), analyser)[:1]
    ]
    columns = Columns.of([candidate for candidate, _ in units])
    everything = np.ones(len(columns), bool)
    found = by_cues(columns, everything, now=NOW, limit=per_kind(10))
    hits = rank(columns.candidates(*found), Setting(NOW))
    return [units[int(hit.candidate.id)][1] for hit in hits]


@pytest.fixture(scope="module")
def judged() -> Mapping[str, Mapping[str, int]]:
    """By company, grades by the name and digest of the passage."""
    rows: dict[str, dict[str, int]] = defaultdict(dict)
    path = Path(__file__).parent / "archive_material_changes.jsonl"
    for row in map(json.loads, path.read_text().splitlines()):
        name = f"{row['url']}#{row['start']}-{row['end']} {row['sha256_16']}"
        rows[row["cik"]][name] = row["grade"]
    return rows


def test_what_changed_comes_first(shared: Path, judged: Mapping[str, Mapping[str, int]]) -> None:
    analyser = Analyser()
    shares = {}
    for cik, grades in judged.items():
        passages = company_passages(shared, cik)
        assert grades.keys() <= {f"{p.name} {p.digest}" for p in passages}
        shown = first_passages(passages, analyser)[:SHOWN]
        useful = [grades.get(f"{p.name} {p.digest}", 0) for p in shown]
        shares[cik] = sum(useful) / len(shown)
    print({cik: round(share, 2) for cik, share in shares.items()}, np.mean(list(shares.values())))
    assert len(shares) >= 8
    assert np.mean(list(shares.values())) >= PRECISION_FLOOR
    assert min(shares.values()) >= WORST_FLOOR
