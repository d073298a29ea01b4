"""Collects what the reader of answers is trained and measured on; `answer_reader.py` fits it.

    python -m tests.eval.ask training/questions.jsonl answers.jsonl --data FOLDER   (fills a database)
    python -m training.answers collect FOLDER PAIRS.jsonl   (has texts of others: it is not kept)

A question has `company`, `question`, `held` (its company is kept for figures and never fitted on), `after`,
and what answers it: `answer`, a pattern that only a right answer matches, or `evidence`, places in documents
(address, characters from and to, SHA-256 of the words between); null or none where no document answers.
`add FOLDER QUESTIONS.jsonl` adds questions whose evidence is quoted.
"""

import asyncio
import hashlib
import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

HERE = Path(__file__).resolve().parent
QUESTIONS = HERE / "questions.jsonl"
SHARE = 0.7  # of the words of evidence that a quote must have to be it
LEAST_LENGTH = 60  # characters of a quote that stands within evidence
Row = Mapping[str, Any]
_PASSAGES: dict[UUID, list[tuple[Any, set[str]]]] = {}
_TEXTS = """
  SELECT url, body_text FROM documents WHERE body_text IS NOT NULL AND document_id IN
    (SELECT document_id FROM indexed_passages WHERE company_id = $1)
  ORDER BY published_at DESC NULLS LAST
"""


def words(text: str) -> list[str]:
    return re.findall(r"\w+(?:[.,]\d+)*", text.lower())


def is_evidence(quote: str, evidence: str) -> bool:
    """Whether a quote has most words and figures of the evidence, or is a longer part of it."""
    have, wanted = set(words(quote)), set(words(evidence))
    figures = {word for word in wanted if word[0].isdigit()}
    shared = len(have & wanted)
    if shared >= SHARE * len(wanted) and len(have & figures) >= SHARE * len(figures):
        return True
    return len(quote) >= LEAST_LENGTH and shared >= 0.95 * len(have)


async def add(url: str, folder: Path, file: Path) -> None:
    """Add questions, their quotes as places."""
    from sightline.store.database import open_database
    from tests.eval.assistant import read_questions

    database = await open_database(
        url, role="owner", size=1, wait_seconds=60, statement_timeout_seconds=300
    )
    known = json.loads((folder / "companies.json").read_text())
    shared = HERE.parents[1] / "shared/data/companies.json"
    sites = {
        each["name"]: each["domain"]
        for each in json.loads(shared.read_text())
        if each["group"] == "web site"
    }
    kept = read_questions(QUESTIONS)
    there = {(row["company"], row["question"]) for row in kept}
    lost, texts = 0, dict[str, Any]()
    for row in read_questions(file):
        company = sites.get(row["company"], row["company"])
        if company not in known or (company, row["question"]) in there:
            lost += company not in known
            continue
        if company not in texts:
            async with database.connection() as connection:
                texts[company] = await connection.fetch(_TEXTS, UUID(known[company]))
        found = [_place(texts[company], each["quote"]) for each in row["evidence"]]
        places = [place for place in found if place]
        if row["evidence"] and not places:
            lost += 1
            continue
        there.add((company, row["question"]))
        kept.append({"company": company, "question": row["question"], "evidence": places,
                     "held": False})  # fmt: skip
    print(f"{len(kept)} questions, {lost} left out")
    QUESTIONS.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in kept))


def _place(texts: Sequence[Row], quote: str) -> dict[str, Any] | None:
    """Where a quote stands, white space apart, in the newest document that has it."""
    parts = re.findall(r"[^\s|]+", quote)
    pattern = re.compile(r"[\s|]*".join(re.escape(part) for part in parts))
    for row in texts:
        found = pattern.search(row["body_text"])
        if found:
            digest = hashlib.sha256(found[0].encode()).hexdigest()
            return {"url": row["url"], "start": found.start(), "end": found.end(), "sha256": digest}
    return None


async def collect(url: str, folder: Path, out: Path) -> None:
    """For each question what the reader would be given, with a label; and the evidence that was not found."""
    from sightline.assistant.extractive import understand
    from sightline.assistant.routing import router_for
    from sightline.assistant.turn import open_turn
    from sightline.domain.callers import OrganizationId
    from sightline.reading.encoder import EncoderConfig, open_encoder
    from sightline.search.quotes import candidates
    from sightline.search.retrieve import retriever
    from sightline.store.database import open_database
    from sightline.store.organizations import find_organization
    from tests.eval.ask import SLUG
    from tests.eval.assistant import read_questions, somebody

    owner = await open_database(url, role="owner", size=1, wait_seconds=60)
    organization = OrganizationId(await find_organization(owner, SLUG))
    database = await open_database(url, size=2, wait_seconds=60, statement_timeout_seconds=60)
    encoder = retriever().encoder = open_encoder(EncoderConfig())
    assert encoder is not None
    known = json.loads((folder / "companies.json").read_text())
    with out.open("w", encoding="utf-8") as file:
        for row in read_questions(QUESTIONS):
            if row["company"] not in known:
                continue
            company = UUID(known[row["company"]])
            async with database.tenant(organization) as connection:
                turn = await open_turn(
                    connection, somebody(organization), company, message=row["question"],
                    session_id=None,
                )  # fmt: skip
                before = row["after"][-1] if row.get("after") else None
                read = await understand(turn.evidence, row["question"], before, router_for(encoder))
                _, quotes = await candidates(connection, company, read.wordings)
                evidence = [await _words(connection, each) for each in row.get("evidence", ())]
                extra = [] if "answer" in row else await _elsewhere(connection, company, evidence)
            label = _labels(row, evidence)
            made = [
                {"text": one.read_as, "words": round(one.words, 4), "label": label(one.text)}
                for one in quotes
            ]
            file.write(json.dumps({
                "company": row["company"], "held": row["held"], "asked": row["question"],
                "question": read.wordings[-1],
                "answerable": bool(row.get("answer") or row.get("evidence")),
                "quotes": made,
                "extra": [text for text in extra if text not in {one["text"] for one in made}][:3],
            }) + "\n")  # fmt: skip
    await database.close()
    await owner.close()


def _labels(row: Row, evidence: Sequence[str]) -> Any:
    if row.get("answer"):
        pattern = re.compile(row["answer"])
        return lambda text: bool(pattern.search(" ".join(text.split())))
    return lambda text: any(is_evidence(text, each) for each in evidence)


async def _words(connection: Any, place: Row) -> str:
    """The words at a place of a document; they must be the ones that were kept."""
    text = await connection.fetchval("SELECT body_text FROM documents WHERE url = $1 AND"
        " encode(sha256(convert_to(substr(body_text, $2 + 1, $3 - $2), 'UTF8')), 'hex') = $4 LIMIT 1",
        place["url"], place["start"], place["end"], place["sha256"])  # fmt: skip
    return str(text or "")[place["start"] : place["end"]]


async def _elsewhere(connection: Any, company: UUID, evidence: Sequence[str]) -> list[str]:
    """The evidence as it would be read, had it been found."""
    from sightline.search.evidence import Passage
    from sightline.search.quotes import Quote, quotable

    if company not in _PASSAGES:
        read = await connection.fetch(
            "SELECT title, heading, context, body, kind FROM indexed_passages WHERE company_id = $1"
            " AND document_id IS NOT NULL AND body <> ''", company)  # fmt: skip
        _PASSAGES[company] = [(row, set(words(row["body"]))) for row in read]
    found = []
    wanted = [(each, set(words(each))) for each in evidence]
    for row, have in _PASSAGES[company]:
        for each, own in wanted:
            if len(own & have) < SHARE * len(own):
                continue
            passage = Passage("", company, company, row["kind"], row["title"], row["heading"], None, None,
                              row["body"], None, None, row["context"], 0.0, ())  # fmt: skip
            found += [Quote(passage, text, 0.0).read_as for text in quotable(row["body"])
                      if is_evidence(text, each)]  # fmt: skip
    return list(dict.fromkeys(found))


def main() -> None:
    """Collect or add."""
    from sightline.kit.postgres import EmbeddedPostgres

    act, folder, file = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    with EmbeddedPostgres(folder) as server:
        asyncio.run((collect if act == "collect" else add)(server.url, folder, file))


if __name__ == "__main__":
    main()
