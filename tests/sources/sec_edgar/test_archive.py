"""The parsers on recorded filings, where these are at hand: floors that only rise."""

import csv
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import lxml.etree
import lxml.html
import pytest

from sightline.domain.fields import FIELDS
from sightline.sources.sec_edgar.companyfacts import read_companyfacts
from sightline.sources.sec_edgar.eight_k import event_date, read_items
from sightline.sources.sec_edgar.error_pages import is_sec_refusal
from sightline.sources.sec_edgar.filing import read_filing
from sightline.sources.sec_edgar.inline_xbrl import InlineReport, read_inline_xbrl
from sightline.sources.sec_edgar.officers import officer_observations
from sightline.sources.sec_edgar.signatures import signature_observations
from sightline.sources.sec_edgar.submissions import read_submissions
from sightline.sources.sec_edgar.workforce import headcount_observations


def body(path: Path) -> bytes:
    packed = path if path.exists() else path.with_name(path.name + ".gz")
    content = packed.read_bytes()
    return gzip.decompress(content) if packed.suffix == ".gz" else content


def annual_reports(shared: Path) -> Iterator[tuple[str, bytes]]:
    with (shared / "web" / "filings.csv").open(newline="") as lines:
        for row in csv.DictReader(lines):
            if row["form"] == "10-K":
                yield row["company"], body(shared / "web" / row["file"])


def test_items_of_labelled_current_reports(shared: Path) -> None:
    labels = json.loads((shared / "labelled" / "8k" / "labels.json").read_text())
    right = wrong = missed = undated = 0
    for label in labels:
        text = read_filing(body(shared / label["document"])).text
        found, wanted = {item.number for item in read_items(text)}, set(label["items"])
        right += len(found & wanted)
        wrong += len(found - wanted)
        missed += len(wanted - found)
        day, filed = event_date(text), date.fromisoformat(label["filing_date"])
        undated += day is None or abs((filed - day).days) > 60
    assert right / (right + wrong) >= 0.99
    assert right / (right + missed) >= 0.99
    assert undated <= 2


_BLOCKS = frozenset("p div tr td th li br h1 h2 h3 h4 h5 h6 table ul ol center hr pre".split())


def source_lines(content: bytes) -> Iterator[str]:
    """The lines of a filing as a reader of its page sees them, told by block elements alone."""
    begin = content.lower().find(b"<html")
    pieces: list[str] = []
    root = lxml.html.fromstring(content[max(begin, 0) :])
    for event, element in lxml.etree.iterwalk(root, events=("start", "end", "comment")):
        if event == "start":
            pieces += ["\n"] if element.tag in _BLOCKS else []
            unseen = element.tag in ("title", "style", "script") or _is_hidden(element)
            pieces.append("" if unseen else element.text or "")
        else:
            pieces += ["\n"] if element.tag in _BLOCKS else []
            pieces.append(element.tail or "")
    yield from "".join(pieces).split("\n")


def _is_hidden(element: Any) -> bool:
    chain = [element, *element.iterancestors()]
    return any("display:none" in (e.get("style") or "").replace(" ", "").lower() for e in chain)


def squeezed(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def test_no_line_of_a_current_report_is_lost(shared: Path) -> None:
    labels = json.loads((shared / "labelled" / "8k" / "labels.json").read_text())
    lost = files = 0
    for label in labels:
        content = body(shared / label["document"])
        if b"<html" not in content[:20_000].lower():
            continue
        files += 1
        whole = squeezed(read_filing(content).text)
        lines = [squeezed(line) for line in source_lines(content)]
        counts = Counter(lines)
        long = {x for x in lines if sum(map(str.isalpha, x)) >= 25 and counts[x] <= 2}
        lost += sum(line not in whole for line in long)
    assert files >= 150
    assert lost == 0


def test_every_recorded_submissions_answer_is_read(shared: Path) -> None:
    folder = shared / "web" / "files" / "data.sec.gov" / "submissions"
    paths = [
        p
        for p in folder.glob("CIK*.json*")
        if "-submissions-" not in p.name and p.suffix != ".body"
    ]
    read = [read_submissions(body(path)) for path in paths]
    assert len(read) >= 60
    companies = [one for one in read if not one.is_person]
    for one in companies:
        assert all(o.field in FIELDS for o in one.observations)
        assert {"cik", "company_name"} <= {o.field for o in one.observations}
        assert all(not value.isupper() or len(value) <= 6 for value in (one.name,))
    refusals = [is_sec_refusal(path.read_bytes()) for path in folder.glob("*.body")]
    assert all(refusals)


def test_inline_reports_agree_with_companyfacts(shared: Path) -> None:
    """A year's revenue and net income are the same from both, unless they were restated later."""
    folder = shared / "web" / "files" / "data.sec.gov" / "api" / "xbrl" / "companyfacts"
    facts = {one.cik: one for one in (read_companyfacts(body(p)) for p in folder.glob("CIK*"))}
    compared = agreed = 0
    for _, content in annual_reports(shared):
        report = read_inline_xbrl(content)
        known = facts.get(report.cover.get("EntityCentralIndexKey", "")) if report else None
        if report is None or known is None:
            continue
        by_period = {(f.metric, f.label): f.amount for f in known.periods if f.start is not None}
        for figure in report.periods:
            other = by_period.get((figure.metric, figure.label))
            if figure.start is not None and other is not None:
                compared += 1
                agreed += other == figure.amount
    assert compared >= 30
    assert agreed / compared >= 0.97


def covered(report: InlineReport, axis: str) -> float | None:
    """Which part of the newest year's revenue the members of an axis make up; None without."""
    total = next(
        (f.amount for f in report.periods if f.metric == "revenue" and f.end == report.period_end),
        None,
    )
    members = [
        one.amount
        for one in report.segments
        if (one.axis, one.metric, one.end) == (axis, "revenue", report.period_end)
    ]
    return sum(members) / total if members and total else None


def test_segments_make_up_the_revenue_once(shared: Path) -> None:
    shares: list[float] = []
    reports = 0
    for _, content in annual_reports(shared):
        report = read_inline_xbrl(content)
        if report is None:
            continue
        reports += 1
        for one in report.observations:
            parts = FIELDS[one.field].parts
            assert not parts or set(one.value) <= set(parts)
        shares += [
            s for axis in ("business", "geography", "product") if (s := covered(report, axis))
        ]
    assert len(shares) >= 2 * reports
    # Above one only where segments sell to each other.
    assert sum(share > 1.05 for share in shares) <= 1
    assert sum(0.97 <= share <= 1.03 for share in shares) / len(shares) >= 0.8


def test_people_and_headcount_of_annual_reports(shared: Path) -> None:
    reports = chiefs = counts = 0
    for _, content in annual_reports(shared):
        text = read_filing(content).text
        plain = " ".join(text.split())
        observations = (
            *signature_observations(text),
            *officer_observations(text),
            *headcount_observations(text),
        )
        for one in observations:
            assert one.field in FIELDS
            assert one.quote is not None
            assert " ".join(one.quote.split()) in plain
        fields = {one.field for one in observations}
        reports += 1
        chiefs += "ceo" in fields
        counts += "employees" in fields
    if not reports:
        pytest.fail("the archive lists no annual reports")
    assert chiefs / reports >= 0.9
    assert counts / reports >= 0.9
