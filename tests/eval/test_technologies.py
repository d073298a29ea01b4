"""Technologies that invented postings and pages show their company to use, labelled by hand: floors that only
rise.

A third of the lines are traps: a product's name that is an ordinary word, or a product that customers,
rivals, investors or former employers use. Each was labelled before it was read by the program. Run with
-s to see what is read otherwise than labelled.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sightline.domain.evidence import Body
from sightline.domain.job_reading import read_posting
from sightline.domain.technologies import products
from sightline.sources.website.page import read_page
from sightline.sources.website.technologies import fingerprints

DATA = Path(__file__).parent / "data"
# Four sets, each read once blind and then worked on: at first sight the four had a precision of 0.86 (before
# any work), 0.99, 0.90 and 0.85, and a recall of 0.87, 0.95, 0.93 and 0.92.
WORKED_ON = DATA / "technologies.jsonl"
PRECISION_FLOOR = 0.99
RECALL_FLOOR = 0.99
# The last set, written after the others: at first sight 0.89 and 0.94.
FRESH = DATA / "technologies_fresh.jsonl"
FRESH_PRECISION_FLOOR = 0.97
FRESH_RECALL_FLOOR = 0.98


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def _read(row: dict[str, Any]) -> set[str]:
    if "text" in row:
        return set(read_posting("", row["text"], own_names=(row["company"],)).technologies)
    body = Body(
        url="https://www.mill.example/",
        content=row["html"].encode(),
        media_type="text/html",
        charset=None,
        headers=row.get("headers", {}),
        fetched_at=datetime(2026, 11, 1, tzinfo=UTC),
    )
    return {each.name for each in read_page(body).technologies}


def _measure(path: Path) -> tuple[float, float]:
    """Precision and recall over all lines of a set."""
    right = wrong = missed = 0
    for row in _rows(path):
        found, labelled = _read(row), set(row["uses"])
        right += len(found & labelled)
        wrong += len(found - labelled)
        missed += len(labelled - found)
        if found != labelled:
            print(row["company"], "wrong:", found - labelled, "missed:", labelled - found)
    print(f"{path.name}: {right} right, {wrong} wrong, {missed} missed")
    return right / (right + wrong), right / (right + missed)


def test_labels_are_of_the_vocabulary() -> None:
    known = set(products()) | {row.name for row in fingerprints()}
    for row in (*_rows(WORKED_ON), *_rows(FRESH)):
        assert ("text" in row) != ("html" in row)
        assert set(row["uses"]) <= known, row


def test_floors() -> None:
    assert sum(1 for _ in _rows(WORKED_ON)) >= 160
    precision, recall = _measure(WORKED_ON)
    assert precision >= PRECISION_FLOOR
    assert recall >= RECALL_FLOOR


def test_floors_of_the_fresh_set() -> None:
    precision, recall = _measure(FRESH)
    assert precision >= FRESH_PRECISION_FLOOR
    assert recall >= FRESH_RECALL_FLOOR
