"""Events that recorded filings tell of. Needs the recorded data beside the project."""

import csv
import gzip
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from sightline.domain.mentions import EvidenceDocument, Mention, NamedCompany, Span
from sightline.domain.signals import SignalType
from sightline.reading.onnx_encoder import bundled_encoder
from sightline.signals.documents import read_document
from sightline.signals.local_reader import LocalReader
from sightline.sources.sec_edgar.filing import read_filing
from sightline.sources.sec_edgar.passages import passages

T = SignalType
READER = LocalReader(bundled_encoder())


@cache
def filings(shared: Path) -> dict[str, dict[str, str]]:
    with (shared / "web/filings.csv").open(newline="", encoding="utf-8") as rows:
        return {row["accession"]: row for row in csv.DictReader(rows)}


def read(shared: Path, accession: str) -> list[Mention]:
    """What a recorded filing says, as a worker reads it."""
    row = filings(shared)[accession]
    content = (shared / "web" / row["file"]).read_bytes()
    content = gzip.decompress(content) if row["file"].endswith(".gz") else content
    filing = read_filing(content, name=row["url"], form=row["form"])
    spans = tuple(
        Span(each.start, each.end, each.section, each.heading) for each in passages(filing)
    )
    day = datetime.fromisoformat(row["filing_date"]).replace(hour=12, tzinfo=UTC)
    title = f"{row['form']} for {row['report_date']}"
    document = EvidenceDocument(
        uuid4(), row["url"], "sec_edgar", "filing", title, day, day, 1, filing.text, spans
    )
    company = NamedCompany(UUID(int=1), row["company"], (row["company"],))
    return read_document(document, company, READER)


@pytest.mark.parametrize(
    ("accession", "types", "words"),
    [
        pytest.param("0000012927-24-000010", {T.REGULATORY_ACTION}, "investigation", id="an agency"),
        pytest.param(
            "0000858877-24-000017", {T.LAYOFFS, T.COST_CUTTING}, "restructuring plan", id="its people"
        ),
        pytest.param(
            "0001628280-25-003063", {T.LAYOFFS, T.COST_CUTTING}, "restructuring", id="a restructuring"
        ),
        pytest.param("0000950157-17-001598", {T.ACQUIRES}, "21CF", id="a purchase"),
    ],
)  # fmt: skip
def test_what_a_filing_tells_is_found(
    shared: Path, accession: str, types: set[SignalType], words: str
) -> None:
    found = read(shared, accession)
    reported = [each for each in found if each.type in types and words in each.quote]
    assert reported, [(each.type, each.quote[:80]) for each in found]
