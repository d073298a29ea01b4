"""Draw sentences of a recorded web for people to label: event, company, realis, kind of insight.

Run: python -m training.sentences DATA OUT [--train 6200] [--sealed 1000] [--vectors FILE]

DATA is a recorded web (`web/`, `companies.json`, `sealed.json`). OUT gets `train/NN.jsonl` and
`sealed/NN.jsonl`, 300 rows each, and `train/READY`, the list of files. Documents are split into train and
sealed before anything is drawn. Three fifths of the rows are nearest in meaning to one of the lines of
`mentions.toml`, the others come by chance, a few of them on purpose no sentences. `--vectors FILE.npz` keeps
the candidates and their vectors for the next draw.
"""

import argparse
import json
import random
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from training.documents import Archive, Document, Group, company_in

from sightline.reading.encoder import EncoderConfig, open_encoder
from sightline.reading.sentences import sentences
from sightline.reading.vectors import Vectors

SHARES: dict[Group, float] = {"8-K": 0.35, "10-K": 0.30, "news": 0.25, "site": 0.10}
CANDIDATES: dict[Group, int] = {"8-K": 120, "10-K": 160, "news": 16, "site": 16}  # a document
NEAR, JUNK = 0.60, 0.03  # of all rows
FLOOR = 0.30  # cosine below which a sentence is not near to a line
SAME = 0.94  # cosine above which two sentences are one
A_DOCUMENT = 60
A_COMPANY = 0.06
ROWS = 300  # a file
SEED = 20

_SHOUTED = re.compile(r"\b[A-Z]{2,}\b")
_UNUSUAL = re.compile(r"[^\w\s.,;:'’“”\"()$%&/–—-]|_{2,}|\| ")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may be drawn; `reads` is false for table rows, lists and the like."""

    document: int
    start: int
    end: int
    text: str
    row: dict[str, Any]
    group: Group
    sealed: bool
    reads: bool


def reads_as_sentence(text: str) -> bool:
    """Whether its shape is that of a sentence: words in small letters, few figures, a stop at its end."""
    words = text.split()
    letters = sum(map(str.isalpha, text))
    small = sum(map(str.islower, text))
    return (
        len(words) >= 6
        and text.rstrip("\"'”’)")[-1:] in {".", "!", "?"}
        and (text[0].isupper() or text[0].isdigit() or text[0] in "\"'“‘(")
        and letters > 0.68 * len(text)
        and small > 0.75 * letters
        and len(_UNUSUAL.findall(text)) <= 1
        and len(_SHOUTED.findall(text)) <= 0.3 * len(words)
    )


def candidates_of(document: Document, at: int, chance: random.Random) -> list[Candidate]:
    """Up to a number of the document's sentences, spread over its parts; the title of news among them."""
    spans = sentences(document.text)
    digest = document.digest
    by_kind: dict[str, list[Candidate]] = defaultdict(list)
    for place, (start, end) in enumerate(spans):
        text = " ".join(document.text[start:end].split())
        part = document.part_at(start)
        if not 40 <= len(text) <= 500:
            continue
        reads = part.kind is not None and reads_as_sentence(text)
        before = document.text[slice(*spans[place - 1])] if place else ""
        row = {
            "company": document.company or company_in(text),
            "kind": part.kind or next((p.kind for p in document.parts if p.kind), document.group),
            "heading": part.heading,
            "before": " ".join(before.split())[-200:],
            "text": text,
            "source": {"url": document.url, "sha256": digest, "start": start, "end": end},
        }
        made = Candidate(at, start, end, text, row, document.group, document.sealed, reads)
        by_kind[(part.kind or "") if reads else "junk"].append(made)
    most = CANDIDATES[document.group]
    junk = by_kind.pop("junk", [])
    out = chance.sample(junk, min(len(junk), 2))
    for each in by_kind.values():
        chance.shuffle(each)
    while most > 0 and any(by_kind.values()):
        for each in by_kind.values():
            if each and most > 0:
                out.append(each.pop())
                most -= 1
    return out


class Draw:
    """Rows drawn so far, within the limits of groups, documents and companies."""

    def __init__(self, total: int, found: Sequence[Candidate], vectors: Vectors) -> None:
        self.total, self.found, self.vectors = total, found, vectors
        self.drawn: list[int] = []
        self._kept = np.zeros((total, vectors.shape[1]), np.float32)
        self._documents: Counter[int] = Counter()
        self._companies: Counter[str] = Counter()
        self._groups: Counter[Group] = Counter()
        self._taken: set[int] = set()

    def take(self, at: int, part: float | None) -> bool:
        """Draw one where its group has less than a part of its share (None: of all), and nothing drawn
        says the same."""
        one = self.found[at]
        company = one.row["company"] or ""
        most = self.total if part is None else part * SHARES[one.group] * self.total
        if (
            len(self.drawn) >= self.total
            or at in self._taken
            or self._groups[one.group] >= most
            or self._documents[one.document] >= A_DOCUMENT
            or (company and self._companies[company] >= A_COMPANY * self.total)
        ):
            return False
        if (self._kept[: len(self.drawn)] @ self.vectors[at]).max(initial=0) > SAME:
            self._taken.add(at)
            return False
        self._kept[len(self.drawn)] = self.vectors[at]
        self._taken.add(at)
        self.drawn.append(at)
        self._documents[one.document] += 1
        self._companies[company] += 1
        self._groups[one.group] += 1
        return True

    def near(self, lines: Vectors) -> None:
        """In turn for each line the nearest sentence that is left, as long as one is near."""
        nearness = self.vectors @ lines.T
        nearness[[not each.reads for each in self.found]] = -1
        orders = [iter(np.argsort(-nearness[:, line])) for line in range(len(lines))]
        going = list(range(len(lines)))
        enough = int(NEAR * self.total)
        while going and len(self.drawn) < enough:
            for line in list(going):
                for at in orders[line]:
                    if nearness[at, line] < FLOOR:
                        going.remove(line)
                        break
                    if self.take(int(at), NEAR * 1.15):
                        break
                else:
                    going.remove(line)

    def by_chance(self, chance: random.Random) -> None:
        """Fill up: a few that are no sentences, then each group to its share, then whatever is left."""
        order = list(range(len(self.found)))
        chance.shuffle(order)
        junk = [at for at in order if not self.found[at].reads]
        prose = [at for at in order if self.found[at].reads]
        self._fill(junk, len(self.drawn) + int(JUNK * self.total), None)
        self._fill(prose, self.total, 1.0)
        self._fill(prose, self.total, None)

    def _fill(self, order: Iterable[int], until: int, part: float | None) -> None:
        for at in order:
            if len(self.drawn) >= until:
                return
            self.take(at, part)


def collect(data: Path) -> tuple[list[Candidate], Vectors]:
    """All candidates with their vectors; takes minutes."""
    chance = random.Random(SEED)  # noqa: S311
    found: list[Candidate] = []
    seen: set[str] = set()
    for at, document in enumerate(Archive.open(data).documents()):
        for each in candidates_of(document, at, chance):
            key = re.sub(r"[\W\d]+", "", each.text).lower()
            if key not in seen:
                seen.add(key)
                found.append(each)
    print(f"{len(found):,} candidates to encode", flush=True)
    encoder = open_encoder(EncoderConfig())
    assert encoder is not None
    return found, encoder.encode_now([each.text for each in found])


def save(place: Path, found: Sequence[Candidate], vectors: Vectors) -> None:
    """Candidates and vectors in one file, for `load`."""
    kept = json.dumps([asdict(each) for each in found])
    np.savez(place, vectors=vectors, candidates=np.frombuffer(kept.encode(), np.uint8))


def load(place: Path) -> tuple[list[Candidate], Vectors]:
    """What `save` kept."""
    kept = np.load(place)
    return [Candidate(**each) for each in json.loads(bytes(kept["candidates"]))], kept["vectors"]


def write(folder: Path, rows: Sequence[dict[str, Any]], first: int) -> list[str]:
    """Files of 300 rows, numbered on from `first`."""
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    for at in range(0, len(rows), ROWS):
        name = f"{at // ROWS + 1:02d}.jsonl"
        part = rows[at : at + ROWS]
        lines = (
            json.dumps({"n": first + at + place, **row}, ensure_ascii=False)
            for place, row in enumerate(part)
        )
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        names.append(name)
    return names


def main() -> None:
    """Collect, draw twice, write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--train", type=int, default=6_200)
    parser.add_argument("--sealed", type=int, default=1_000)
    parser.add_argument("--vectors", type=Path)
    options = parser.parse_args()
    if options.vectors and options.vectors.exists():
        found, vectors = load(options.vectors)
    else:
        found, vectors = collect(options.data)
        if options.vectors:
            save(options.vectors, found, vectors)
    lines = tomllib.loads(Path(__file__).with_name("mentions.toml").read_text(encoding="utf-8"))
    encoder = open_encoder(EncoderConfig())
    assert encoder is not None
    near = encoder.encode_now([line for part in lines.values() for line in part.values()])
    for name, total, sealed in (("train", options.train, False), ("sealed", options.sealed, True)):
        places = [at for at, each in enumerate(found) if each.sealed is sealed]
        draw = Draw(total, [found[at] for at in places], vectors[places])
        draw.near(near)
        print(name, "near:", len(draw.drawn))
        chance = random.Random(SEED)  # noqa: S311
        draw.by_chance(chance)
        chance.shuffle(draw.drawn)
        drawn = [draw.found[at] for at in draw.drawn]
        names = write(options.out / name, [each.row for each in drawn], 10_001 if sealed else 1)
        (options.out / name / "READY").write_text("\n".join(names) + "\n")
        print(name, len(drawn), Counter(each.group for each in drawn), flush=True)


if __name__ == "__main__":
    main()
