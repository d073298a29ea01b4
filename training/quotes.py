"""Fit the heads that choose quotes and say when none answers: `search/data/quotes.toml`.

Run: python -m training.quotes measure FOLDER   (asks training/questions.jsonl of the database in FOLDER,
     which `python -m tests.eval.ask` fills, with and without the encoder, and writes training/quotes_*.npz:
     features and labels alone)
     python -m training.quotes fit              (from these files; needs no database)

A question has `company`, `question`, `answer` (a pattern that only a right answer matches; null where the
documents have none), `after` and `held` (its company is kept for figures and never fitted on).
"""

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np

from sightline.assistant.extractive import understand
from sightline.assistant.routing import router_for
from sightline.assistant.turn import open_turn
from sightline.domain.callers import OrganizationId
from sightline.kit.postgres import EmbeddedPostgres
from sightline.reading.encoder import Encoder, EncoderConfig, open_encoder
from sightline.search.quotes import HEADS, Quotes, find_quotes, summary
from sightline.search.retrieve import retriever
from sightline.store.database import Database, open_database
from sightline.store.organizations import find_organization
from tests.eval.ask import SLUG
from tests.eval.assistant import read_questions, somebody

HERE = Path(__file__).resolve().parent
QUESTIONS = HERE / "questions.jsonl"
MEASURED = {name: HERE / f"quotes_{name}.npz" for name in ("encoder", "words")}
DATA = HERE.parent / "src/sightline/search/data" / HEADS
Rows = np.ndarray
Asked = tuple[
    dict[str, Any], Rows, Rows, Rows
]  # question, what is measured of its quotes, labels, of itself


async def measure(url: str, folder: Path) -> None:
    """Everything that may be quoted for each question, with whether it answers."""
    owner = await open_database(url, role="owner", size=1, wait_seconds=60)
    organization = await find_organization(owner, SLUG)
    database = await open_database(url, size=2, wait_seconds=60)
    known = json.loads((folder / "companies.json").read_text())
    for name, encoder in (("encoder", open_encoder(EncoderConfig())), ("words", None)):
        retriever().encoder = encoder
        found = [
            (
                number,
                row,
                await quoted(database, organization, UUID(known[row["company"]]), row, encoder),
            )
            for number, row in enumerate(read_questions(QUESTIONS))
            if row["company"] in known
        ]
        rows = [(number, row, each) for number, row, quotes in found for each in quotes.every]
        np.savez_compressed(
            MEASURED[name],
            features=np.asarray([each.features for _, _, each in rows], np.float16),
            labels=[
                bool(row["answer"] and re.search(row["answer"], " ".join(each.text.split())))
                for _, row, each in rows
            ],
            numbers=np.asarray([number for number, _, _ in rows], np.int16),
            questions=np.asarray([n for n, _, quotes in found if quotes.every], np.int16),
            asked=np.asarray([q.asked for _, _, q in found if q.every], np.float16),
        )  # fmt: skip
    await database.close()
    await owner.close()


async def quoted(
    database: Database, organization: OrganizationId, company: UUID, row: dict[str, Any],
    encoder: Encoder | None,
) -> Quotes:  # fmt: skip
    """What the assistant may quote for a question."""
    async with database.tenant(organization) as connection:
        turn = await open_turn(
            connection, somebody(organization), company, message=row["question"], session_id=None
        )
        before = row["after"][-1] if row.get("after") else None
        router = router_for(encoder) if encoder else None
        read = await understand(turn.evidence, row["question"], before, router)
        return await find_quotes(
            connection, company, read.wordings, encoder, expected=read.asked.expected
        )


def logistic(rows: Rows, labels: Rows, *, decay: float) -> dict[str, Rows]:
    """Mean and scale of the columns, and the weights (the bias first), by Newton's steps."""
    mean, scale = rows.mean(axis=0), np.maximum(rows.std(axis=0), 1e-3)
    full = np.c_[np.ones(len(rows)), (rows - mean) / scale]
    found = np.zeros(full.shape[1])
    ridge = decay * np.r_[0.0, np.ones(rows.shape[1])]
    for _ in range(30):
        chance = 1 / (1 + np.exp(-np.clip(full @ found, -30, 30)))
        gradient = full.T @ (chance - labels) + ridge * found
        bend = (full * (chance * (1 - chance))[:, None]).T @ full + np.diag(ridge + 1e-6)
        found -= np.linalg.solve(bend, gradient)
    return {"mean": mean, "scale": scale, "weights": found}


def listwise(groups: list[Rows], labels: list[Rows], *, decay: float) -> dict[str, Rows]:
    """Weights by which the quotes that answer stand above the others of their question (softmax)."""
    every = np.concatenate(groups)
    mean, scale = every.mean(axis=0), np.maximum(every.std(axis=0), 1e-3)
    scaled = [(rows - mean) / scale for rows in groups]
    weights, speed = np.zeros(every.shape[1]), np.zeros(every.shape[1])
    for _ in range(400):
        gradient = -decay * weights
        for rows, right in zip(scaled, labels, strict=True):
            chance = np.exp(rows @ weights - (rows @ weights).max())
            chance /= chance.sum()
            wanted = chance * right / max((chance * right).sum(), 1e-9)
            gradient += (wanted - chance) @ rows / len(groups)
        speed = 0.9 * speed + gradient
        weights += 0.05 * speed
    return {"mean": mean, "scale": scale, "weights": np.r_[0.0, weights]}


def fit() -> None:
    """Fit both heads of each pair on the companies that are not held out; print what they do there, each
    company measured by heads fitted on the others, and on those held out."""
    texts, made = read_questions(QUESTIONS), {}
    for name, file in MEASURED.items():
        read = np.load(file)
        numbers, labels = read["numbers"], read["labels"].astype(float)
        features = read["features"].astype(float)
        asked = [
            (texts[n], features[numbers == n], labels[numbers == n], own.astype(float))
            for n, own in zip(read["questions"], read["asked"], strict=True)
        ]
        ours = [one for one in asked if not one[0]["held"]]
        companies = sorted({one[0]["company"] for one in ours})
        told = []
        for part in range(4):
            left_out = companies[part::4]
            heads = _fitted([one for one in ours if one[0]["company"] not in left_out])
            told += _told(heads, [one for one in ours if one[0]["company"] in left_out])
        _report(f"{name}, crossed over", told)
        heads = _fitted(ours)
        made |= {f"{name}_{head}": rows for head, rows in heads.items()}
        _report(f"{name}, held out", _told(heads, [one for one in asked if one[0]["held"]]))
    DATA.write_text(_written(made))


def _fitted(asked: list[Asked]) -> dict[str, dict[str, Rows]]:
    found = [one for one in asked if one[2].any()]
    quote = listwise([one[1] for one in found], [one[2] for one in found], decay=0.05)
    rows = [summary(applied(quote, one[1]), one[1], one[3]) for one in asked]
    right = [_is_right(applied(quote, one[1]), one[2]) for one in asked]
    return {"quote": quote, "answered": logistic(np.array(rows), np.array(right), decay=30.0)}


def _told(heads: dict[str, dict[str, Rows]], asked: list[Asked]) -> list[tuple[float, bool, bool]]:
    """The chance that the best quotes answer, whether they do, and whether anything could."""
    told = []
    for question, rows, labels, own in asked:
        scores = applied(heads["quote"], rows)
        score = applied(heads["answered"], summary(scores, rows, own)[None, :])[0]
        chance = 1 / (1 + np.exp(-score))
        told.append((float(chance), _is_right(scores, labels), question["answer"] is not None))
    return told


def _is_right(scores: Rows, labels: Rows) -> bool:
    return bool(labels[np.argsort(-scores)[:3]].any())


def _report(part: str, told: list[tuple[float, bool, bool]]) -> None:
    for least in (0.0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6):
        shown = [one for one in told if one[0] >= least]
        print(
            f"{part}, {least}: of {sum(one[2] for one in told)} answerable"
            f" {sum(one[2] for one in shown)} are quoted for, {sum(one[1] for one in shown)} right;"
            f" of {sum(not one[2] for one in told)} others {sum(not one[2] for one in shown)}"
        )


def applied(head: dict[str, Rows], rows: Rows) -> Rows:
    return (rows - head["mean"]) / head["scale"] @ head["weights"][1:] + head["weights"][0]


def _written(heads: dict[str, dict[str, Rows]]) -> str:
    lines = [
        "# Made by training/quotes.py, for questions with vectors and with words alone: mean and scale of\n"
        "# what is measured, and the weights (bias first).\n"
    ]
    for name, head in heads.items():
        lines.append(f"[{name}]")
        for part, row in head.items():
            lines.append(f"{part} = [{', '.join(f'{x:.5g}' for x in row)}]")
        lines.append("")
    return "\n".join(lines)


def main() -> None:
    """Measure or fit."""
    if sys.argv[1] == "measure":
        folder = Path(sys.argv[2])
        with EmbeddedPostgres(folder) as server:
            asyncio.run(measure(server.url, folder))
    else:
        fit()


if __name__ == "__main__":
    main()
