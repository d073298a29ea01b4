"""Measures and fits what chooses quotes and says whether one answers (`reading/data/answers.npz`).

    python -m tests.eval.ask training/questions.jsonl answers.jsonl --data FOLDER   (fills a database)
    python -m training.answers measure FOLDER    (writes training/answers.npz: vectors and labels, no text)
    python -m training.answers fit               (from that file; prints what it does on unseen companies)

A question has `company`, `question`, `held` (its company is kept for figures and never fitted on), `after`,
`group` (1: asks for yes or no), and what answers it: `answer`, a pattern that only a right answer matches,
or `evidence`, places in documents (address, characters from and to, SHA-256 of the words between); null or
none where no document answers.
`add FOLDER QUESTIONS.jsonl` adds questions whose evidence is quoted.
"""

import asyncio
import hashlib
import io
import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np

from sightline.reading.answers import BEST, FILE, AnswerHeads, Gate, Linear, gate_row

HERE = Path(__file__).resolve().parent
QUESTIONS = HERE / "questions.jsonl"
MEASURED = HERE / "answers.npz"
SHARE = 0.7  # of the words of evidence that a quote must have to be it
LEAST_LENGTH = 60  # characters of a quote that stands within evidence
REFUSED = (
    0.90  # of the questions without an answer, companies unseen, where no model reads the quotes
)
COMPONENTS = 64  # of a question's vector
WIDTH, DECAY = 0.0015, 1.0  # of the gate's kernel, and of its ridge
FOLDS = 6
KEPT = ("measured", "labels", "sizes", "vectors", "companies", "held", "answerable", "groups")
Row = Mapping[str, Any]
Rows = np.ndarray
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
    held = {row["company"] for row in kept if row["held"]}
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
                     "held": company in held, "group": row.get("group", 0)})  # fmt: skip
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


async def measure(url: str, folder: Path) -> None:
    """For each question what is measured of the quotes that may be shown, and which of them answer."""
    from sightline.assistant.extractive import understand
    from sightline.assistant.routing import router_for
    from sightline.assistant.turn import open_turn
    from sightline.domain.callers import OrganizationId
    from sightline.reading.answers import measured
    from sightline.reading.encoder import EncoderConfig, open_encoder
    from sightline.reading.onnx_encoder import OnnxEncoder
    from sightline.search.quotes import candidates
    from sightline.search.retrieve import retriever
    from sightline.store.database import open_database
    from sightline.store.organizations import find_organization
    from tests.eval.ask import SLUG
    from tests.eval.assistant import make_caller, read_questions

    owner = await open_database(url, role="owner", size=1, wait_seconds=60)
    organization = OrganizationId(await find_organization(owner, SLUG))
    database = await open_database(url, size=2, wait_seconds=60, statement_timeout_seconds=60)
    encoder = retriever().encoder = open_encoder(EncoderConfig())
    assert isinstance(encoder, OnnxEncoder)
    known = json.loads((folder / "companies.json").read_text())
    rows = [row for row in read_questions(QUESTIONS) if row["company"] in known]
    kept: dict[str, list[Any]] = {name: [] for name in KEPT}
    for row in rows:
        company = UUID(known[row["company"]])
        async with database.tenant(organization) as connection:
            turn = await open_turn(
                connection,
                make_caller(organization),
                company,
                message=row["question"],
                session_id=None,
            )
            before = row["after"][-1] if row.get("after") else None
            read = await understand(turn.evidence, row["question"], before, router_for(encoder))
            found = await candidates(connection, company, read.wordings)
            evidence = [await _words(connection, each) for each in row.get("evidence", ())]
        if not found.quotes:
            continue
        label = _labels(row, evidence)
        asked, features = (await measured(found.quotes, found.weights, read.wordings, encoder))[-1]
        kept["measured"].append(features.astype(np.float16))
        kept["labels"] += [label(one.text) for one in found.quotes]
        kept["sizes"].append(len(found.quotes))
        kept["vectors"].append(asked.astype(np.float16))
        kept["companies"].append(row["company"])
        kept["held"].append(row["held"])
        kept["answerable"].append(bool(row.get("answer") or row.get("evidence")))
        kept["groups"].append(row.get("group", 0))
    kept["measured"] = [np.concatenate(kept["measured"])]
    arrays = {
        name: np.array(rows[0] if name == "measured" else rows) for name, rows in kept.items()
    }
    np.savez_compressed(MEASURED, encoder=encoder.name, **arrays)
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


@dataclass(frozen=True)
class Asked:
    """A question as it was measured: a row and a label for each quote."""

    vector: Rows
    measured: Rows
    labels: Rows
    company: str
    held: bool
    answerable: bool
    group: int  # of questions that were written together: another share of them has an answer


def read_measured() -> tuple[str, list[Asked]]:
    """The encoder's name and the questions."""
    with np.load(MEASURED) as file:
        read = {name: file[name] for name in file.files}
    ends = np.cumsum(read["sizes"])
    asked = []
    for at, (end, size) in enumerate(zip(ends, read["sizes"], strict=True)):
        part = slice(end - size, end)
        asked.append(
            Asked(
                read["vectors"][at].astype(np.float32),
                read["measured"][part].astype(np.float32), read["labels"][part],
                str(read["companies"][at]), bool(read["held"][at]), bool(read["answerable"][at]),
                int(read["groups"][at]),
            )
        )  # fmt: skip
    return str(read["encoder"]), asked


def scaled(rows: Rows) -> tuple[Rows, Rows]:
    return rows.mean(axis=0), np.maximum(rows.std(axis=0), 1e-3)


def gate_of(rows: Rows, asked: Sequence[Asked]) -> Gate:
    """Kernel ridge regression. In each group of questions those with an answer weigh as much as those
    without, so that nothing is learnt from what a group's questions have in common."""
    mean, scale = scaled(rows)
    vectors = ((rows - mean) / scale)[:, -len(asked[0].vector) :]
    turn = np.linalg.eigh(vectors.T @ vectors)[1][:, : -COMPONENTS - 1 : -1]
    labels, groups = (
        np.array([getattr(one, name) for one in asked]) for name in ("answerable", "group")
    )
    each = np.zeros(len(rows))
    for group in np.unique(groups):
        own = groups == group
        share = labels[own].mean()
        each[own] = np.where(labels[own], 0.5 / share, 0.5 / (1 - share))
    nothing = np.zeros(0, np.float32)
    gate = Gate(mean, scale, turn, nothing, nothing, WIDTH)
    gate = replace(gate, known=gate.read(rows))
    ridge = gate.kernel(gate.known).astype(float) + np.diag(DECAY / each)
    weights = np.linalg.solve(ridge, np.where(labels, 1.0, -1.0))
    return replace(gate, weights=weights.astype(np.float32))


def listwise(groups: Sequence[Rows], labels: Sequence[Rows], *, decay: float) -> Linear:
    """Weights by which the quotes that answer stand above the others of their question (softmax)."""
    mean, scale = scaled(np.concatenate(groups))
    most = max(map(len, groups))
    parts, right = np.zeros((len(groups), most, len(mean))), np.zeros((len(groups), most))
    there = np.zeros((len(groups), most), bool)
    for at, (rows, own) in enumerate(zip(groups, labels, strict=True)):
        parts[at, : len(rows)], right[at, : len(rows)] = (rows - mean) / scale, own
        there[at, : len(rows)] = True
    weights, speed = np.zeros(len(mean)), np.zeros(len(mean))
    for _ in range(300):
        scores = np.where(there, parts @ weights, -np.inf)
        chance = np.exp(scores - scores.max(axis=1, keepdims=True))
        chance /= chance.sum(axis=1, keepdims=True)
        wanted = chance * right
        wanted /= wanted.sum(axis=1, keepdims=True)
        gradient = np.einsum("gq,gqf->f", wanted - chance, parts) / len(parts) - decay * weights
        speed = 0.9 * speed + gradient
        weights = weights + 0.05 * speed
    return Linear(mean, scale, weights.astype(np.float32))


def folds(asked: Sequence[Asked]) -> list[tuple[list[Asked], list[Asked]]]:
    """Questions to fit on and to try, no company in both."""
    companies = sorted({one.company for one in asked})
    parts = [set(companies[at::FOLDS]) for at in range(FOLDS)]
    return [
        (
            [one for one in asked if one.company not in part],
            [one for one in asked if one.company in part],
        )
        for part in parts
    ]


def fitted(asked: Sequence[Asked], encoder: str) -> AnswerHeads:
    """The heads. The gate learns whether documents answer at all: taught which quotes are right it does
    less well."""
    right = [one for one in asked if one.labels.any()]
    quote = listwise([one.measured for one in right], [one.labels for one in right], decay=0.05)
    rows = [gate_row(one.vector, one.measured, quote(one.measured)) for one in asked]
    return AnswerHeads(encoder, quote, gate_of(np.array(rows), asked), 0.0)


def _is_right(one: Asked, scores: Rows) -> bool:
    return bool(one.labels[np.argsort(-scores, kind="stable")[:BEST]].any())


def told(heads: AnswerHeads, asked: Sequence[Asked]) -> list[tuple[float, bool, bool]]:
    """What the gate says, whether one of the best three answers, and whether anything could."""
    found = []
    for one in asked:
        scores = heads.scores(one.measured)
        likely = heads.answers(one.vector, one.measured, scores)
        found.append((likely, _is_right(one, scores), one.answerable))
    return found


def report(part: str, rows: Sequence[tuple[float, bool, bool]]) -> None:
    """Right of those with an answer against refused of those without."""
    said, right, answerable = (np.array(column) for column in zip(*rows, strict=True))
    print(f"{part}: {answerable.sum()} with an answer, {right.sum()} in the best three;"
          f" {(~answerable).sum()} without")  # fmt: skip
    for refused in (0.95, 0.93, 0.9, 0.85, 0.8, 0.7, 0.5):
        least = np.quantile(said[~answerable], refused)
        shown = said >= least
        print(
            f"  refused {(~shown)[~answerable].mean():.2f}: right {right[shown].sum()}"
            f" ({right[shown].sum() / answerable.sum():.2f}), {right[shown].mean():.2f} of"
            f" {shown.sum()} shown, from {least:.2f}"
        )


def fit() -> None:
    """Print what heads do on companies that they have not seen, and write those of all companies."""
    from training.artefacts import write_artefact

    encoder, asked = read_measured()
    ours = [one for one in asked if not one.held]
    report(
        "six companies held out", told(fitted(ours, encoder), [one for one in asked if one.held])
    )
    crossed = [row for others, own in folds(asked) for row in told(fitted(others, encoder), own)]
    report("each company by heads of others", crossed)
    heads = fitted(asked, encoder)
    without = [said for said, _, answerable in crossed if not answerable]
    arrays: dict[str, Any] = {
        "encoder": np.array(encoder),
        "least": np.array(np.quantile(without, REFUSED)),
    }
    for name, head in (("quote", heads.quote), ("gate", heads.gate)):
        arrays |= {f"{name}.{part.name}": np.asarray(getattr(head, part.name), np.float16 if
                   part.name == "known" else np.float32) for part in fields(head)}  # fmt: skip
    content = io.BytesIO()
    np.savez(content, **arrays)
    write_artefact(FILE, content.getvalue())


def main() -> None:
    """Measure, fit or add."""
    if sys.argv[1] == "fit":
        fit()
        return
    from sightline.kit.postgres import EmbeddedPostgres

    folder = Path(sys.argv[2])
    with EmbeddedPostgres(folder) as server:
        asyncio.run(measure(server.url, folder) if sys.argv[1] == "measure"
                    else add(server.url, folder, Path(sys.argv[3])))  # fmt: skip


if __name__ == "__main__":
    main()
