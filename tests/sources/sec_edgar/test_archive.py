"""The parsers on recorded filings, where these are at hand: floors that only rise."""

import csv
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lxml.etree
import lxml.html
import pytest

from sightline.domain.fields import FIELDS
from sightline.sources.sec_edgar.companyfacts import read_companyfacts
from sightline.sources.sec_edgar.error_pages import is_sec_refusal
from sightline.sources.sec_edgar.filing import NotAFiling, document_text, read_filing
from sightline.sources.sec_edgar.inline_xbrl import InlineReport, read_inline_xbrl
from sightline.sources.sec_edgar.people import headcount_observations, officer_observations
from sightline.sources.sec_edgar.signatures import signature_observations
from sightline.sources.sec_edgar.submission import documents_of
from sightline.sources.sec_edgar.submissions import read_submissions


def body(path: Path) -> bytes:
    packed = path if path.exists() else path.with_name(path.name + ".gz")
    content = packed.read_bytes()
    return gzip.decompress(content) if packed.suffix == ".gz" else content


def annual_reports(shared: Path) -> Iterator[tuple[str, bytes]]:
    with (shared / "web" / "filings.csv").open(newline="") as lines:
        for row in csv.DictReader(lines):
            if row["form"] == "10-K":
                yield row["company"], body(shared / "web" / row["file"])


_BLOCKS = frozenset("p div tr td th li br h1 h2 h3 h4 h5 h6 table ul ol center hr pre".split())


def source_lines(content: bytes) -> Iterator[str]:
    """The lines of a filing as a reader of its page sees them, by block elements only."""
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


def documents(shared: Path) -> Iterator[tuple[str, str, bytes]]:
    """(form or type of exhibit, name, content) of every recorded filing document that is HTML."""
    folder = shared / "labelled" / "sec_forms"
    paths = [
        path
        for name in ("8k_other", "def14a", "old_and_foreign", "exhibits", "sgml")
        for path in sorted((folder / name).iterdir())
    ]
    with (shared / "web" / "filings.csv").open(newline="") as lines:
        listed = [(row["form"], shared / "web" / row["file"]) for row in csv.DictReader(lines)]
    with (shared / "web" / "index.jsonl").open() as lines:
        for line in lines:
            row = json.loads(line)
            if row["kind"].endswith("(full text)") and row["status"] == 200:
                paths.append(shared / "web" / row["file"])
    for form, path in [*listed, *((path.parent.name, path) for path in paths)]:
        content = body(path)
        parts = [(part.type, part.content) for part in documents_of(content)]
        for kind, part in parts or [(form, content)]:
            if b"<html" in part[:20_000].lower():
                yield kind, path.name, part


def lost_lines(content: bytes) -> list[str]:
    """Lines of 25 letters or more that stand once or twice in the source and not in the text.

    Lines that differ in their figures alone are one: a footer has another number on each page.
    """
    whole = squeezed(document_text(content).text)
    lines = [squeezed(line) for line in source_lines(content)]
    shapes = Counter(without_figures(line) for line in lines)
    return [
        line
        for line in lines
        if len(shape := without_figures(line)) >= 25 and shapes[shape] <= 2 and line not in whole
    ]


def without_figures(text: str) -> str:
    return "".join(letter for letter in text if not letter.isdigit())


def test_no_line_of_a_filing_is_lost(shared: Path) -> None:
    files: Counter[str] = Counter()
    lost = []
    for kind, name, content in documents(shared):
        try:
            missing = lost_lines(content)
        except NotAFiling:  # an exhibit of pictures alone
            assert kind.startswith("EX-"), name
            continue
        files[kind.partition("-")[0] if kind.startswith("EX") else kind] += 1
        lost += [
            (name, kind, line) for line in missing if not line.startswith("thispageusesjavascript")
        ]
    assert files["8-K"] >= 160
    assert files["10-K"] >= 30
    assert files["10-Q"] >= 16
    assert files["EX"] >= 17
    assert lost == []


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
