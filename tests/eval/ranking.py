"""Ranks any corpus with Sightline's text rankers and writes a TREC run.

    python tests/eval/ranking.py --corpus docs.jsonl --queries queries.jsonl --out run.trec \\
        [--qrels qrels.tsv] [--depth 100] [--words-only] [--embedding local:all-MiniLM-L6-v2]

`docs.jsonl` has one {"_id", "title", "text"} a line, `queries.jsonl` one {"_id", "text"}, as BEIR has them
("id" is taken for "_id"; a title may be
missing, a text empty; files may be packed with gzip). Judgements are BEIR's three columns with or
without a heading, or TREC's four. Nothing is learnt from queries or judgements. A query that is itself
a document, as where an argument seeks its counter-arguments, does not find itself. `--embedding` names a
model as `SIGHTLINE_EMBEDDING_MODEL` does; documents are read by it as passages of companies are.
"""

import argparse
import asyncio
import gzip
import json
import math
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from sightline.llm.embeddings import Embedder, EmbeddingConfig, EmbeddingFailed, open_embedder
from sightline.search.analysis import Analyser
from sightline.search.index import Index
from sightline.search.meaning import document_vectors
from sightline.search.postings import Floats
from sightline.search.retrieve import CorpusSearch, Found, Searcher
from sightline.search.vectors import likeness, pack_vectors

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
            return spoken(row[name])
    return ""


def spoken(value: object) -> str:
    """The text of a field; that of a list in one line."""
    if isinstance(value, (list, tuple)):
        return " ".join(spoken(part) for part in value)
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


def rank_corpus(
    documents: Sequence[Mapping[str, object]],
    queries: Sequence[Mapping[str, object]],
    *,
    depth: int = 100,
    words_only: bool = False,
    embedder: Embedder | None = None,
) -> tuple[Run, dict[str, float]]:
    """The run, and how many seconds the index and each query took, without those of the embedding model.
    `words_only` ranks as a stored index of a company is ranked: no letter groups, no latent space, and no
    answer where too little of the query is said."""
    texts = [(spoken(row.get("title")), words(row)) for row in documents]
    ids = [identity(row) for row in documents]
    started = time.perf_counter()
    search: Callable[..., Found]
    if words_only:
        analyser = Analyser()
        search = stored_search(Index(texts, analyser), analyser)
    else:
        search = CorpusSearch(texts).search
    indexed = time.perf_counter()
    alike = likenesses(embedder, texts, [words(row) for row in queries])
    run: Run = {}
    seconds = []
    bodies = {name: body for name, (_, body) in zip(ids, texts, strict=True)}
    for row, meaning in zip(queries, alike, strict=True):
        query, text = identity(row), words(row)
        itself = query if bodies.get(query, "").split() == text.split() else None
        asked = time.perf_counter()
        found = search(text, limit=depth + 1, meaning=meaning)
        seconds.append(time.perf_counter() - asked)
        run[query] = [
            (ids[document], float(score))
            for document, score in zip(found.documents, found.scores, strict=True)
            if ids[document] != itself
        ][:depth]
    times = {
        "index_seconds": indexed - started,
        "query_ms_p50": 1000 * float(np.percentile(seconds, 50)) if seconds else 0.0,
        "query_ms_p95": 1000 * float(np.percentile(seconds, 95)) if seconds else 0.0,
    }
    return run, times


def likenesses(
    embedder: Embedder | None, texts: Sequence[tuple[str, str]], asked: Sequence[str]
) -> list[Floats | None]:
    """For each query the cosine of every document by a model, as stored vectors give it; None without a
    model."""
    if embedder is None or not texts or not asked:
        return [None] * len(asked)
    passages = ["\n".join(filter(None, text)) for text in texts]
    packed = pack_vectors(asyncio.run(embedder.embed(passages)))
    chunks = {(0, number): chunk for number, chunk in enumerate(packed)}
    vectors = asyncio.run(embedder.embed(asked, query=True))
    return [likeness(vector, chunks, {0: len(texts)}) for vector in vectors]


def stored_search(
    index: Index, analyser: Analyser, *, business: bool = False
) -> Callable[..., Found]:
    """Searches as a stored index of a company is searched."""
    searcher = Searcher(index.lengths, analyser, business=business)
    vectors = document_vectors(index)

    def search(text: str, *, limit: int, meaning: Floats | None = None) -> Found:
        return searcher.search(index, text, limit=limit, vectors=vectors, meaning=meaning)

    return search


def write_run(run: Run, path: Path) -> None:
    """TREC's six columns. Scores fall strictly, so that a reader that sorts keeps our order."""
    with path.open("w", encoding="utf-8") as out:
        for query, ranked in run.items():
            for rank, (document, score) in enumerate(ranked, 1):
                out.write(f"{query} Q0 {document} {rank} {score - rank * 1e-7:.9f} sightline\n")


def model(name: str) -> Embedder:
    """The embedding model that an option names."""
    try:
        return open_embedder(EmbeddingConfig(name))
    except EmbeddingFailed as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--queries", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--qrels", type=Path)
    parser.add_argument("--depth", type=int, default=100)
    parser.add_argument("--words-only", action="store_true")
    parser.add_argument("--embedding", type=model)
    options = parser.parse_args()
    run, times = rank_corpus(
        read_jsonl(options.corpus),
        read_jsonl(options.queries),
        depth=options.depth,
        words_only=options.words_only,
        embedder=options.embedding,
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
