"""Ranks any corpus as Sightline ranks the passages of a company, and writes a TREC run.

    python tests/eval/ranking.py --corpus docs.jsonl --queries queries.jsonl --out run.trec \\
        [--qrels qrels.tsv] [--depth 100] [--encoder none]

`docs.jsonl` has one {"_id", "title", "text"} a line, `queries.jsonl` one {"_id", "text"}, as BEIR has them
("id" is taken for "_id"; a title may be
missing, a text empty; files may be packed with gzip). Judgements are BEIR's three columns with or
without a heading, or TREC's four. Nothing is learnt from queries or judgements. A query that is itself
a document, as where an argument seeks its counter-arguments, does not find itself. `--encoder` names an
encoder as `SIGHTLINE_ENCODER` does, by default the bundled one; `none` ranks by words alone.
"""

import argparse
import asyncio
import gzip
import json
import math
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from sightline.reading.encoder import Encoder, EncoderConfig, EncoderFailed, open_encoder
from sightline.reading.terms import terms
from sightline.reading.vectors import Vectors
from sightline.search.bm25 import Floats, Weights, field_counts, presence_scores, scores
from sightline.search.retrieve import ALIKE, CANDIDATES, COSINE, best

Run = dict[str, list[tuple[str, float]]]
Judgements = dict[str, dict[str, int]]


def read_jsonl(path: Path) -> list[dict[str, object]]:
    """Lines that are JSON objects; the others are counted on standard error and passed over."""
    rows: list[dict[str, object]] = []
    odd = 0
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8-sig", "replace")
    for line in filter(str.strip, text.split("\n")):
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if isinstance(row, dict):
            rows.append(row)
        else:
            odd += 1
    if odd:
        sys.stderr.write(f"{path.name}: {odd} lines are no JSON objects\n")
    return rows


def identity(row: Mapping[str, object]) -> str:
    """White space, which separates the columns of a run, becomes "_"."""
    for name in ("_id", "id", "doc_id", "docid", "docno", "corpus_id", "query_id", "qid"):
        if row.get(name) is not None:
            return "_".join(str(row[name]).split()) or "_"
    raise SystemExit(f"A line has no id: {str(row)[:80]}")


def words(row: Mapping[str, object]) -> str:
    for name in ("text", "contents", "content", "body", "abstract", "passage", "query", "question"):
        if row.get(name):
            return as_text(row[name])
    return ""


def as_text(value: object) -> str:
    """The text of a field; that of a list in one line."""
    if isinstance(value, (list, tuple)):
        return " ".join(as_text(part) for part in value)
    return "" if value is None else str(value)


def read_judgements(path: Path) -> Judgements:
    judged: Judgements = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        columns = line.split()
        if len(columns) == 4:
            columns = [columns[0], columns[2], columns[3]]
        if len(columns) != 3 or not columns[2].lstrip("-").isdigit():
            continue  # the heading
        judged.setdefault(columns[0], {})[columns[1]] = int(columns[2])
    return judged


def ndcg(ranked: Sequence[str], judged: Mapping[str, int], depth: int = 10) -> float:
    """Normalised discounted cumulative gain with linear gains, as trec_eval has it."""

    def gain(grades: Iterable[int]) -> float:
        return sum(max(0, g) / math.log2(i + 2) for i, g in enumerate(list(grades)[:depth]))

    ideal = gain(sorted(judged.values(), reverse=True))
    return gain(judged.get(document, 0) for document in ranked) / ideal if ideal else 0.0


def recall(ranked: Sequence[str], judged: Mapping[str, int], depth: int = 100) -> float:
    relevant = {document for document, grade in judged.items() if grade > 0}
    return len(relevant & set(ranked[:depth])) / len(relevant) if relevant else 0.0


def measure(run: Run, judgements: Judgements) -> dict[str, float]:
    """Means over the queries that have a relevant document."""
    graded = {q: j for q, j in judgements.items() if any(grade > 0 for grade in j.values())}
    ranked = {q: [document for document, _ in run.get(q, [])] for q in graded}
    return {
        "queries": len(graded),
        "ndcg@10": float(np.mean([ndcg(ranked[q], graded[q]) for q in graded])),
        "recall@100": float(np.mean([recall(ranked[q], graded[q]) for q in graded])),
    }


class Corpus:
    """Titled texts in memory, ranked as the passages of a company are: the same terms, candidates, BM25 and
    cosines, without PostgreSQL."""

    def __init__(self, texts: Sequence[tuple[str, str]], vectors: Vectors | None = None) -> None:
        """`texts` are (title, body); `vectors` of them by an encoder."""
        self._counts = [field_counts("", title, body) for title, body in texts]
        self._words = np.array([len(terms(body)) for _, body in texts], np.float32)
        self._vectors = vectors
        found: dict[str, list[int]] = {}
        for at, counts in enumerate(self._counts):
            for term in counts:
                found.setdefault(term, []).append(at)
        self._postings = {term: np.array(places) for term, places in found.items()}

    def search(
        self, text: str, *, limit: int, vector: Floats | None = None
    ) -> list[tuple[int, float]]:
        """(document, score), best first."""
        asked = terms(text)
        postings = {t: self._postings[t] for t in asked if t in self._postings}
        count = len(self._counts)
        weights = Weights.of(asked, {t: len(p) for t, p in postings.items()}, count)
        lengths = self._words / max(1.0, float(self._words.mean())) if count else self._words
        alike = np.zeros(count, np.float32)
        if vector is not None and self._vectors is not None:
            alike = np.maximum(self._vectors @ vector, 0.0)
        first = presence_scores(weights, postings, lengths)
        chosen = np.unique(
            np.concatenate([best(first + COSINE * alike, CANDIDATES), best(alike, ALIKE)])
        )
        own = scores(weights, [self._counts[at] for at in chosen], lengths[chosen].tolist())
        total = own + COSINE * alike[chosen]
        order = np.argsort(-total, kind="stable")[:limit]
        return [(int(chosen[at]), float(total[at])) for at in order if total[at] > 0]


def rank_corpus(
    documents: Sequence[Mapping[str, object]],
    queries: Sequence[Mapping[str, object]],
    *,
    depth: int = 100,
    encoder: Encoder | None = None,
) -> tuple[Run, dict[str, float]]:
    """The run, and how many seconds the index and each query took, without those of the encoder."""
    texts = [(as_text(row.get("title")), words(row)) for row in documents]
    ids = [identity(row) for row in documents]
    started = time.perf_counter()
    vectors = asked = None
    if encoder is not None and texts and queries:
        vectors = asyncio.run(encoder.encode(["\n".join(filter(None, text)) for text in texts]))
        asked = asyncio.run(encoder.encode([words(row) for row in queries], query=True))
        started = time.perf_counter()
    corpus = Corpus(texts, vectors)
    indexed = time.perf_counter()
    run: Run = {}
    seconds = []
    bodies = {name: body for name, (_, body) in zip(ids, texts, strict=True)}
    for at, row in enumerate(queries):
        query, text = identity(row), words(row)
        itself = query if bodies.get(query, "").split() == text.split() else None
        begun = time.perf_counter()
        found = corpus.search(text, limit=depth + 1, vector=None if asked is None else asked[at])
        seconds.append(time.perf_counter() - begun)
        run[query] = [(ids[n], score) for n, score in found if ids[n] != itself][:depth]
    times = {
        "index_seconds": indexed - started,
        "query_ms_p50": 1000 * float(np.percentile(seconds, 50)) if seconds else 0.0,
        "query_ms_p95": 1000 * float(np.percentile(seconds, 95)) if seconds else 0.0,
    }
    return run, times


def write_run(run: Run, path: Path) -> None:
    """TREC's six columns. Scores fall strictly, so that a reader that sorts keeps our order."""
    with path.open("w", encoding="utf-8") as out:
        for query, ranked in run.items():
            for rank, (document, score) in enumerate(ranked, 1):
                out.write(f"{query} Q0 {document} {rank} {score - rank * 1e-7:.9f} sightline\n")


def model(name: str) -> Encoder | None:
    """The encoder that an option names."""
    try:
        return open_encoder(EncoderConfig(name))
    except EncoderFailed as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--queries", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--qrels", type=Path)
    parser.add_argument("--depth", type=int, default=100)
    parser.add_argument("--encoder", type=model, default="bundled")
    options = parser.parse_args()
    run, times = rank_corpus(
        read_jsonl(options.corpus),
        read_jsonl(options.queries),
        depth=options.depth,
        encoder=options.encoder,
    )
    write_run(run, options.out)
    report = {name: round(value, 3) for name, value in times.items()}
    if options.qrels:
        measured = measure(run, read_judgements(options.qrels))
        report |= {name: round(value, 4) for name, value in measured.items()}
    json.dump(report, sys.stdout)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
