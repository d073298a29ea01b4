"""Prints what is read in documents, by a model with --model, for a reader to judge.

Run: python -m tests.eval.documents DOCUMENTS.jsonl SIGNALS.jsonl [--model]

A line of DOCUMENTS has id, company, url, published (a day) and text. A recorded filing is read as the worker
reads it; any other text is read as a piece of news. SIGNALS has one line for each signal of a document:
mentions of one event are one. --model takes what SIGHTLINE_MODEL and its _BASE_URL and _API_KEY name.
"""

import argparse
import asyncio
import csv
import gzip
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from sightline.domain.evidence import Body
from sightline.domain.mentions import EvidenceDocument, Mention, NamedCompany, Span
from sightline.domain.names import fold
from sightline.llm.models import ModelConfig
from sightline.reading.onnx_encoder import bundled_encoder
from sightline.signals import form_d
from sightline.signals.clustering import Known, find_signal, weight_of
from sightline.signals.contract import is_background
from sightline.signals.documents import proven, read_document, united
from sightline.signals.llm_editor import desk_of, edit
from sightline.signals.llm_reader import BATCH, asked_of, mentions_of, read_batch
from sightline.signals.local_reader import LocalReader
from sightline.signals.units import units_of
from sightline.sources.sec_edgar.plan import Planned
from sightline.sources.sec_edgar.read_body import read_current, read_quarterly
from tests.eval.ask import model_of

ROOT = Path(__file__).resolve().parents[2]
NOBODY = UUID(int=0)


def document_of(
    row: Mapping[str, Any], web: Path, filings: Mapping[str, dict[str, str]]
) -> EvidenceDocument:
    """The document of a line, with the passages of a recorded filing."""
    said = datetime.fromisoformat(row["published"]).replace(hour=12, tzinfo=UTC)
    filed = filings.get(row["url"])
    if filed is None:
        return EvidenceDocument(
            NOBODY, row["url"], "website", "news", None, said, said, 1, row["text"], ()
        )
    content = (web / filed["file"]).read_bytes()
    content = gzip.decompress(content) if filed["file"].endswith(".gz") else content
    day = date.fromisoformat(filed["report_date"] or filed["filing_date"])
    planned = Planned(
        "current", filed["form"], said.date(), day, filed["cik"], filed["accession"], (), row["url"]
    )
    body = Body(row["url"], content, "", None, {}, said)
    read = read_current if filed["form"].startswith("8-K") else read_quarterly
    parsed = read(body, planned, name=row["company"])
    spans = tuple(
        Span(each.start, each.end, each.section, each.heading) for each in parsed.passages
    )
    return EvidenceDocument(
        NOBODY, row["url"], "sec_edgar", "filing", parsed.title, said, said, 1, parsed.text, spans
    )


async def read_by_model(
    model: ModelConfig, document: EvidenceDocument, company: NamedCompany
) -> list[Mention]:
    """The mentions that a model reads in every sentence, each proven."""
    asked = [
        [asked_of(unit, span, company, model) for span in unit.spans]
        for unit in units_of(document, company)
    ]
    everything = [each for some in asked for each in some]
    events: dict[str, list[dict[str, Any]]] = {}
    for first in range(0, len(everything), BATCH):
        events |= (await read_batch(model, everything[first : first + BATCH], company)).events
    read = [
        (some[0].unit, [m for each in some for m in mentions_of(each, events[each.key], company)])
        for some in asked
    ]
    found = proven(
        document, [*form_d.read(document, company), *united(read, company, by_model=True)]
    )
    desk = desk_of(found, [], said=document.said_at)
    return (await edit(model, desk, company.name))[0] if desk.is_worth_asking else found


def signals_of(mentions: Sequence[Mention]) -> Iterator[Mention]:
    """The first mention of each event."""
    known: list[Known] = []
    for each in mentions:
        same = find_signal(each, known)
        if same is None:
            same = Known(NOBODY)
            same.tell(each, weight_of(each.source_kind, each.confidence))
            known.append(same)
            yield each
        same.quotes.append(fold(each.quote))
        same.documents.add(NOBODY)


async def run(options: argparse.Namespace, web: Path) -> None:
    """Read each document and write its signals."""
    with (web / "filings.csv").open(newline="", encoding="utf-8") as rows:
        filings = {row["url"]: row for row in csv.DictReader(rows)}
    model = model_of(options.seconds) if options.model else None
    reader = LocalReader(bundled_encoder())
    with options.signals.open("w", encoding="utf-8") as out:
        for line in options.documents.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            document = document_of(row, web, filings)
            company = NamedCompany(NOBODY, row["company"], (row["company"],))
            if model is None:
                mentions = read_document(document, company, reader)
            else:
                mentions = await read_by_model(model, document, company)
            for each in signals_of(mentions):
                precision = each.details.get("precision")
                day = each.occurred_at and f"{each.occurred_at:%Y-%m-%d}"
                said = {
                    "document": row["id"],
                    "type": each.type,
                    "title": each.title,
                    "realis": each.realis,
                    "background": is_background(each),
                    "day": day
                    and (day[:4] if precision == "year" else day[:7] if precision else day),
                    "parties": {party.name: party.role for party in each.parties},
                    "amount": each.amount and f"{each.amount.value:,.0f} {each.amount.currency}",
                    "quote": each.quote,
                }
                out.write(json.dumps(said, ensure_ascii=False) + "\n")


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("documents", type=Path)
    parser.add_argument("signals", type=Path)
    parser.add_argument("--model", action="store_true", help="by the model that is set")
    parser.add_argument("--seconds", type=float, default=900, help="longest for one answer")
    options = parser.parse_args()
    web = Path(os.environ.get("SIGHTLINE_SHARED", ROOT.parent / "shared")) / "data/web"
    if not web.is_dir():
        sys.exit(f"NOT RUN: the recorded public data is absent ({web}).")
    if options.model and not os.environ.get("SIGHTLINE_MODEL"):
        sys.exit("NOT RUN: --model needs SIGHTLINE_MODEL.")
    asyncio.run(run(options, web))


if __name__ == "__main__":
    main()
