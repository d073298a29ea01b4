"""Quality floors of section finding on recorded filings with known section lengths.

The labels give each item's length in the HTML source, so the place of every line in the source is
followed while the parser reads, and the source length of what was found is compared.
"""

import csv
import gzip
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from lxml import etree

from sightline.sources.sec_edgar import filing as filing_module
from sightline.sources.sec_edgar.filing import Filing, read_filing
from sightline.sources.sec_edgar.headings import find_headings
from sightline.sources.sec_edgar.html_text import LineBuilder
from sightline.sources.sec_edgar.passages import passages
from sightline.sources.sec_edgar.text import Line

STEP = 256  # bytes fed at a time: how finely a line's place in the source is known
KEY_ITEMS = {"1", "1A", "7", "part1item1", "part1item2", "part2item1a"}
ALIKE = 0.15
LEAST_DIFFERENCE = 1_500  # bytes
KEY_ITEMS_RIGHT = 0.94
"""Of all labelled key items, the rows of an index among them."""
OTHERWISE = {
    # The index names pages 3 to 36 and five more; the label has the pages between them as well.
    ("INTC_0000050863-24-000010", "1"),
    # The index names pages 48 to 62, and so does the span; the label counts more pages than these.
    ("INTC_0000050863-24-000010", "1A"),
    # The label ends at a page of forward-looking statements that stands before Item 2.
    ("BA_0000012927-23-000048", "part1item1"),
}
"""Labelled key items that the report itself contradicts. All others are within 15 % of their label."""
ALL_ITEMS_FOUND = 0.99
CURRENT_REPORTS_RIGHT = 0.98
SECONDS_EACH = 10.0  # fifty times what an idle core takes


class Positions:
    """Stands in for `html_lines` and remembers where in the source each line ended."""

    def __init__(self) -> None:
        self.at: dict[int, int] = {}
        self.size = 0
        self.kept: list[Line] = []

    def __call__(self, content: bytes) -> tuple[list[Line], dict[str, str]]:
        builder = LineBuilder()
        parser = etree.HTMLParser(
            target=builder, encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True
        )
        self.at.clear()
        self.size = len(content)
        seen = 0
        for begin in range(0, len(content), STEP):
            parser.feed(content[begin : begin + STEP])
            for line in builder.lines[seen:]:
                self.at[id(line)] = begin
            seen = len(builder.lines)
        parser.close()
        for line in builder.lines[seen:]:
            self.at[id(line)] = len(content)
        self.kept = builder.lines
        return builder.lines, builder.facts

    def length(self, filing: Filing, item: str) -> int:
        found = next(each for each in filing.items if each.item == item)
        document = filing.document
        total = 0
        for start, end in ((found.start, found.end), *found.also):
            last = document.line_at(max(start, end - 1)) + 1
            total += self.source(document.lines, last) - self.source(
                document.lines, document.line_at(start)
            )
        return total

    def source(self, lines: tuple[Line, ...], index: int) -> int:
        if index >= len(lines):
            return self.size
        while id(lines[index]) not in self.at:  # joined over a page break
            index -= 1
        return self.at[id(lines[index])]


@dataclass(frozen=True)
class Labelled:
    name: str
    content: bytes
    expected: dict[str, int]


def labelled(shared: Path) -> Iterator[Labelled]:
    for entry in json.loads((shared / "labelled/sec_sections/index.json").read_text()):
        labels = json.loads((shared / entry["expected"]).read_text())
        yield Labelled(
            Path(entry["expected"]).name,
            gzip.decompress((shared / entry["document"]).read_bytes()),
            {each["identifier"]: each["character_count"] for each in labels},
        )


def test_labelled_items_are_found_at_their_length(
    shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    positions = Positions()
    monkeypatch.setattr(filing_module, "html_lines", positions)
    right = wanted = found = named = 0
    wrong = []
    for each in labelled(shared):
        filing = read_filing(each.content)
        items = {item.item for item in filing.items}
        for item, expected in each.expected.items():
            if not expected:
                continue
            named += 1
            found += item in items
            if item not in KEY_ITEMS:
                continue
            wanted += 1
            length = positions.length(filing, item) if item in items else 0
            if abs(length - expected) < max(LEAST_DIFFERENCE, ALIKE * expected):
                right += 1
            elif expected >= LEAST_DIFFERENCE:  # a shorter label is a row of the index
                wrong.append((each.name.partition(".")[0], item))
    assert right / wanted >= KEY_ITEMS_RIGHT, wrong
    assert set(wrong) <= OTHERWISE
    assert found / named >= ALL_ITEMS_FOUND


def test_every_recorded_report_has_its_main_items_headings_and_passages(shared: Path) -> None:
    without = []
    with (shared / "web/filings.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["form"] in ("10-K", "10-Q")]
    for row in rows:
        begun = time.process_time()
        filing = read_filing((shared / "web" / row["file"]).read_bytes(), name=row["file"])
        assert time.process_time() - begun < SECONDS_EACH, row["file"]
        assert filing.form == row["form"], row["file"]
        for item in filing.items:
            assert 0 <= item.start < item.end <= len(filing.text)
        sizes = {item.item: item.end - item.start for item in filing.items}
        needed = ("1", "1A", "7") if row["form"] == "10-K" else ("part1item1", "part1item2")
        without += [f"{row['file']} {item}" for item in needed if item not in sizes]
        for risk in (each for each in filing.items if each.item == "1A"):
            if risk.end - risk.start > 30_000:
                assert len(find_headings(filing.document, risk.start, risk.end)) >= 10, row["file"]
        cut = passages(filing)
        assert all(0 < one.end - one.start <= 1_200 for one in cut)
        assert all(one.end <= two.start for one, two in pairwise(cut))
        assert sum(one.end - one.start for one in cut) > 0.98 * len(filing.text)
    # An asset-backed issuer leaves Item 7 out by the form's own rules, and says so.
    assert len(without) <= 1, without


def test_recorded_foreign_and_older_reports(shared: Path) -> None:
    folder = shared / "labelled/sec_forms/old_and_foreign"
    for file in sorted(folder.iterdir()):
        filing = read_filing(file.read_bytes(), name=file.name)
        assert filing.form == file.name.split("_")[0]
        items = {item.item for item in filing.items}
        needed = {"10-K": {"1", "2", "3", "7", "8"}, "20-F": {"3", "4", "5", "6", "8", "18"}}
        assert needed[filing.form] <= items, file.name


def test_item_numbers_of_current_reports(shared: Path) -> None:
    wrong = []
    labels = json.loads((shared / "labelled/8k/labels.json").read_text())
    for entry in labels:
        filing = read_filing((shared / entry["document"]).read_bytes(), form="8-K")
        found = {each.item for each in filing.items}
        if found != set(entry["items"]):
            wrong.append(f"{entry['document']}: {sorted(found)} for {entry['items']}")
    assert len(wrong) <= (1 - CURRENT_REPORTS_RIGHT) * len(labels), wrong
