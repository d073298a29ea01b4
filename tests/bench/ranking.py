"""How long an answer takes as a company's passages grow, and what a query reads of the stored index.

    python tests/bench/ranking.py [--sizes 100 1000 10000]

Invented passages of 110 words with the frequencies of English (Zipf-Mandelbrot). Prints one JSON
object a size: seconds to build, bytes kept, bytes read by a query, and milliseconds for a request from
stored bytes (blocks are decoded anew for every query) up to ranked hits.
"""

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np

from sightline.search.analysis import Analyser
from sightline.search.candidates import SOURCE_KINDS, Candidate, Columns, Setting
from sightline.search.duplicates import fingerprint
from sightline.search.index import Index
from sightline.search.postings import Ints, Lengths, Postings
from sightline.search.ranking import rank
from sightline.search.retrieve import Searcher
from sightline.search.segments import Segment, blocks_of, pack, read_segments, unpack_lengths
from sightline.search.substance import substance

NOW = datetime(2026, 6, 1, tzinfo=UTC)
QUERIES = 200


class Stored:
    """A segment read block by block, and the passages' own texts for feedback."""

    def __init__(self, segment: Segment, texts: Sequence[str], analyser: Analyser) -> None:
        self._segment = segment
        self._texts = texts
        self._analyser = analyser
        self.read = 0

    @property
    def lengths(self) -> Lengths:
        self.read += len(self._segment.lengths)
        return unpack_lengths(self._segment.lengths)

    def postings(self, terms: Sequence[str]) -> Mapping[str, Postings]:
        whole = self._segment
        numbers = blocks_of(terms, whole.block_count)
        blocks = {n: whole.blocks[n] for n in numbers if n in whole.blocks}
        self.read += sum(map(len, blocks.values()))
        part = Segment(whole.documents, whole.block_count, blocks, whole.lengths)
        return read_segments([part], terms)

    def contents(self, documents: Ints) -> Sequence[Mapping[str, float]]:
        self.read += sum(len(self._texts[document]) for document in documents)
        return [self._analyser.counts("", self._texts[document]) for document in documents]


def invented(size: int, generator: np.random.Generator) -> list[str]:
    letters = np.array(list("bcdfglmnprstv")), np.array(list("aeiou"))
    words = []
    for _ in range(40_000):
        syllables = generator.integers(2, 5)
        pairs = zip(
            generator.choice(letters[0], syllables),
            generator.choice(letters[1], syllables),
            strict=True,
        )
        words.append("".join(a + b for a, b in pairs))
    # Content words fall off as 1 / (rank + 30), as English without its function words does.
    chances = 1.0 / (np.arange(len(words)) + 30.0)
    content = generator.choice(words, (size, 60), p=chances / chances.sum())
    function = generator.choice(["the", "of", "and", "to", "in", "that", "for", "we"], (size, 50))
    texts = np.concatenate((content, function), axis=1)
    return [" ".join(generator.permutation(row)) for row in texts]


def measured(size: int) -> dict[str, float]:
    generator = np.random.default_rng(7)
    texts = invented(size, generator)
    analyser = Analyser()
    started = time.perf_counter()
    segment = pack(Index((("", text) for text in texts), analyser))
    built = time.perf_counter() - started
    started = time.perf_counter()
    columns = Columns.of(
        [
            Candidate(
                id=str(at),
                source_kind=SOURCE_KINDS[at % len(SOURCE_KINDS)],
                source=str(at // 40),
                text_score=0.0,
                published_at=NOW - timedelta(hours=at),
                fingerprint=fingerprint(text, analyser),
                cue=substance("", text, analyser).strength,
            )
            for at, text in enumerate(texts)
        ]
    )
    marked = time.perf_counter() - started
    packed = columns.pack()
    times, read = [], []
    for _ in range(QUERIES):
        text = texts[generator.integers(size)].split()
        request = " ".join(generator.choice(text, 4))
        started = time.perf_counter()
        source = Stored(segment, texts, analyser)
        found = Searcher(source.lengths, analyser).search(source, request, limit=300)
        candidates = Columns.unpack(packed, size).candidates(found.documents, found.scores)
        rank(candidates, Setting(NOW, {}))
        times.append(1000 * (time.perf_counter() - started))
        read.append(source.read + len(packed))
    kept = sum(map(len, segment.blocks.values())) + len(segment.lengths) + len(packed)
    return {
        "passages": size,
        "index_seconds": round(built, 2),
        "fingerprint_and_cue_seconds": round(marked, 2),
        "kept_megabytes": round(kept / 1e6, 2),
        "blocks": len(segment.blocks),
        "read_kilobytes_p50": round(float(np.median(read)) / 1e3),
        "ms_p50": round(float(np.percentile(times, 50)), 2),
        "ms_p95": round(float(np.percentile(times, 95)), 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 1_000, 10_000])
    for size in parser.parse_args().sizes:
        print(json.dumps(measured(size)))


if __name__ == "__main__":
    main()
