"""Labelled sentences: found in documents, kept without their text, or written by us.

Of sentences that others wrote, address, hash, offsets, labels and vectors are kept, and no text.
"""

import json
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "src"))

from sightline.reading.heads import LABELS, NAMED, READ, WHOLE, HeadName, sentence_vectors  # noqa: E402
from sightline.reading.named import named_in  # noqa: E402
from sightline.reading.onnx_encoder import bundled_encoder  # noqa: E402

Array = NDArray[Any]
KEPT = HERE / "labels"
APART = HERE.parent / "tests/eval/data"
WITH_MENTION = ("event", "role", "realis")
# Own sentences by the place of a company in an event.
Example = tuple[str, str, str, str, str]


@dataclass
class Rows:
    """Vectors (n, 896), the labels of each head ("" where not known), groups, whether we wrote them, whether
    the reader's part is known, and whether its company was left out when the reader was trained."""

    vectors: Array
    labels: dict[HeadName, list[str]]
    groups: list[str]
    own: list[bool]
    read: Array
    left_out: Array

    def known(self, name: HeadName) -> Array:
        """Rows with a label of a head. Places and realis are those of events."""
        known = np.array([bool(each) for each in self.labels[name]])
        if name in ("role", "realis"):
            known &= np.array([each != "none" for each in self.labels["event"]])
        return known

    def features(self, name: HeadName) -> Array:
        """What the layers of a head read."""
        return self.vectors[:, : NAMED.stop if name in WITH_MENTION else WHOLE.stop]


@dataclass
class Texts:
    """Sentences to be encoded, with the spans of the company's name in each."""

    texts: list[str] = field(default_factory=list)
    spans: list[list[tuple[int, int]]] = field(default_factory=list)
    labels: list[dict[str, str]] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    sources: list[dict[str, Any]] = field(default_factory=list)

    def add(
        self, text: str, company: str | None, speaks: bool, labels: dict[str, str], group: str,
        source: dict[str, Any] | None = None,
    ) -> None:  # fmt: skip
        self.texts.append(text)
        names = [company] if company else []
        self.spans.append(named_in(text, names, speaks=speaks) if names else [])
        self.labels.append(labels)
        self.groups.append(group)
        self.sources.append(source or {})


def found_rows(rows: Path, labels: Path) -> Texts:
    """Sentences of documents with what was said of them."""
    found = Texts()
    for file in sorted(labels.glob("*.jsonl")):
        said = {row["n"]: row for row in _lines(file)}
        for row in _lines(rows / file.name):
            label = said.get(row["n"])
            labels_of = said_of(label) if label is not None else None
            if labels_of is None:
                continue
            found.add(
                row["text"],
                row["company"],
                speaks=row["kind"] != "news",
                labels=labels_of,
                group=row["company"] or row["source"]["url"],
                source=row["source"] | {"kind": row["kind"]},
            )
    return found


def said_of(row: dict[str, Any]) -> dict[str, str] | None:
    """The labels of a line; None for a type that the code has not."""
    labels: dict[str, str] = {}
    if "type" in row:
        if row["type"] not in LABELS["event"]:
            return None
        labels |= {"event": row["type"], "role": row["role"], "realis": row["realis"]}
    if "use" in row:
        labels |= {"useful": "true" if row["use"] else "false", "section": row["section"]}
    return labels


def own_rows() -> Texts:
    """Sentences that we wrote: with all labels, with both sides of the event, or with its type alone."""
    found = Texts()
    examples: list[Example] = tomllib.loads((HERE / "examples.toml").read_text())["examples"]
    for number, (kind, realis, actor, other, text) in enumerate(examples):
        group = f"own {number}"
        for company, role in ((actor, "actor"), (other, "other")):
            if company or (role == "actor" and not other):
                place = role if kind != "none" else "neither"
                labels = {"event": kind, "role": place, "realis": realis}
                found.add(text, company or None, True, labels, group)
    for file in sorted((HERE / "written").glob("*.jsonl")):
        for number, row in enumerate(_lines(file)):
            labels = said_of(row)
            if labels is not None:
                text, group = row["text"], f"{file.name} {number // 20}"
                found.add(text, row["company"], True, labels, group)
    for file in sorted((HERE / "sentences").glob("*.tsv")):
        for line in file.read_text().splitlines():
            if line.startswith("#"):
                continue
            kinds, company, text = line.split("\t")
            kind = kinds.replace("~", "")
            text = text.partition("|")[0].replace("[[", "").replace("]]", "")
            if kind in LABELS["event"] and "|" not in line:
                realis = "planned" if "~" in kinds else "none" if kind == "none" else ""
                labels = {"event": kind, "realis": realis}
                found.add(text, company or None, True, labels, f"{file.name} {company}")
    return found


def apart() -> tuple[list[set[str]], Array]:
    """Our own sentences that nothing is fitted on: the types that are right for each, and its vector."""
    texts, right = Texts(), []
    for file in sorted(APART.glob("signal_*.tsv")):
        for line in file.read_text().splitlines():
            if not line.startswith("#"):
                kinds, company, text = line.replace("[[", "").replace("]]", "").split("\t")
                text, *more = text.split("|")
                right.append({*kinds.replace("~", "").replace("+", "|").split("|"), *more})
                texts.add(text, company or None, True, {}, file.name)
    return right, encoded(texts)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as stream:
        for line in stream:
            if line.strip():
                yield json.loads(line)


def encoded(texts: Texts) -> Array:
    return sentence_vectors(bundled_encoder(), texts.texts, texts.spans)


def as_rows(texts: Texts, vectors: Array) -> Rows:
    """Sentences that we wrote."""
    count = len(texts.groups)
    labels: dict[HeadName, list[str]] = {
        name: [each.get(name, "") for each in texts.labels] for name in LABELS
    }
    nothing = np.zeros(count, bool)
    return Rows(vectors, labels, texts.groups, [True] * count, ~nothing, nothing)


def joined(first: Rows, second: Rows) -> Rows:
    return Rows(
        np.concatenate([first.vectors, second.vectors]),
        {name: first.labels[name] + second.labels[name] for name in LABELS},
        first.groups + second.groups,
        first.own + second.own,
        np.concatenate([first.read, second.read]),
        np.concatenate([first.left_out, second.left_out]),
    )


def keep(name: str, texts: Texts) -> None:
    """Adds addresses, hashes, offsets and labels as lines, and vectors of 8 bits; no text. A sentence that is
    kept already, by the hash of its document and its place there, gets its new labels beside the others."""
    KEPT.mkdir(exist_ok=True)
    kept_parts = packed(encoded(texts))
    kept_parts["left_out"] = np.ones(len(texts.texts), bool)
    rows = [
        {**source, "group": group, **labels}
        for source, group, labels in zip(texts.sources, texts.groups, texts.labels, strict=True)
    ]
    lines, arrays = KEPT / f"{name}.jsonl", KEPT / f"{name}.npz"
    if lines.exists():
        new = {_place(row) for row in rows}
        before = list(_lines(lines))
        known = {_place(row): row for row in before}
        rows = [known.get(_place(row), {}) | row for row in rows]
        left = [at for at, row in enumerate(before) if _place(row) not in new]
        seen = dict(
            zip((row["group"] for row in before), stored_part(arrays, "left_out"), strict=True)
        )
        kept_parts["left_out"] = np.array([seen.get(row["group"], True) for row in rows])
        kept_parts = {
            part: np.concatenate([stored_part(arrays, part)[left], values])
            for part, values in kept_parts.items()
        }
        rows = [before[at] for at in left] + rows
    np.savez_compressed(arrays, **kept_parts)
    with lines.open("w", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(f"{name}: {len(rows)} sentences kept, {len(texts.texts)} of them new")


def stored_part(file: Path, part: str) -> Array:
    with np.load(file) as stored:
        return np.asarray(stored[part])


def packed(vectors: Array) -> dict[str, Array]:
    """Vectors of 8 bits: what the encoder makes, with a scale each, and what the reader makes."""
    plain = vectors[:, : NAMED.stop]
    scales = np.abs(plain).max(axis=1, keepdims=True) / 127
    return {
        "vectors": np.rint(plain / np.maximum(scales, 1e-12)).astype(np.int8),
        "scales": scales.astype(np.float32),
        "reader": np.rint(vectors[:, READ] * 127).astype(np.int8),
        "read": np.ones(len(vectors), bool),
    }


def _place(row: dict[str, Any]) -> tuple[str, int, int]:
    return row["sha256"], row["start"], row["end"]


def kept(name: str) -> Rows:
    lines = list(_lines(KEPT / f"{name}.jsonl"))
    with np.load(KEPT / f"{name}.npz") as stored:
        plain = stored["vectors"].astype(np.float32) * stored["scales"]
        vectors = np.concatenate([plain, stored["reader"].astype(np.float32) / 127], axis=1)
        read, left_out = stored["read"], stored["left_out"]
    labels: dict[HeadName, list[str]] = {
        head: [str(row.get(head, "")) for row in lines] for head in LABELS
    }
    groups = [str(row["group"]) for row in lines]
    return Rows(vectors, labels, groups, [False] * len(lines), read, left_out)
