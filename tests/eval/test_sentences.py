"""Floors of sentence splitting on boundaries labelled by reading recorded documents.

A label is an address, an offset in the text that our parsers make of it, and whether a sentence ends
there; half of the offsets were chosen because splitters disagree on them, so the figure is far below
that of plain prose. The hash of the characters around finds the place again after a parser has moved it.
"""

import gzip
import hashlib
import html
import json
import re
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sightline.reading.sentences import sentences
from sightline.sources.contract import Body
from sightline.sources.plain_text import plain_text
from sightline.sources.sec_edgar.filing import read_filing
from sightline.sources.website.page import read_page

LABELS = Path(__file__).parent / "data/sentence_boundaries.jsonl"
AROUND = 20  # characters each side that the hash covers
MAY_BE_LOST = 0.05  # of the labels, when a parser reads a page otherwise than it did
FLOORS = {"seen": 0.95, "first": 0.97}
STOPS = re.compile(r"[.!?…\"'”’“»)\]*。！？]+(?=\s)")


def text_of(row: dict[str, Any], content: bytes, number: str) -> str:
    if row["file"].startswith("files/www.sec.gov/"):
        return read_filing(content, name=row["file"]).text
    if number:
        jobs = json.loads(content)["jobs"]
        return plain_text(
            html.unescape(next(job["content"] for job in jobs if str(job["id"]) == number))
        )
    now = datetime(2026, 11, 1, tzinfo=UTC)
    return read_page(Body(row["url"], content, "text/html", "utf-8", {}, now)).parsed.text


def place_of(label: dict[str, Any], text: str) -> int | None:
    def matches(at: int) -> bool:
        around = text[max(0, at - AROUND) : at + AROUND]
        return hashlib.sha256(around.encode()).hexdigest()[:16] == label["hash"]

    if matches(label["at"]):
        return int(label["at"])
    return next((m.end() for m in STOPS.finditer(text) if matches(m.end())), None)


def test_sentences_end_where_a_reader_ends_them(shared: Path) -> None:
    labels: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in LABELS.read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        labels[label["url"]].append(label)
    right: dict[str, int] = defaultdict(int)
    total: dict[str, int] = defaultdict(int)
    lost = 0
    wanted = {url.partition("#")[0] for url in labels}
    rows = {}
    for line in (shared / "web/index.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["url"] in wanted and row["status"] == 200:
            rows[row["url"]] = row
    for url, wants in labels.items():
        row = rows[url.partition("#")[0]]
        content = (shared / "web" / row["file"]).read_bytes()
        if row["encoding"] == "gzip":
            content = gzip.decompress(content)
        text = text_of(row, content, url.partition("#")[2])
        ends = {end for _, end in sentences(text)}
        for label in wants:
            place = place_of(label, text)
            if place is None:
                lost += 1
                continue
            total[label["set"]] += 1
            right[label["set"]] += (place in ends) == label["ends"]
    assert lost <= MAY_BE_LOST * sum(total.values()), lost
    for name, floor in FLOORS.items():
        if right[name] < floor * total[name]:
            pytest.fail(f"{name}: {right[name]} of {total[name]} boundaries are right")
