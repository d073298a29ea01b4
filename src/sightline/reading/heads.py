"""Heads: small classifiers over sentence vectors, trained by `training/heads.py`.

The vector of a sentence is what the bundled encoder makes of it and of the company's name in it, and what
an upper half of its own (`reader.onnx`, `training/reader.py`) makes of both, trained to tell events and what
is of use to a seller. With another encoder, or with none, heads are off and say nothing.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
from numpy.typing import NDArray

from sightline.domain.signals import SignalType
from sightline.reading.bundled import BundledFileIsBroken, read_bundled
from sightline.reading.encoder import Encoder
from sightline.reading.onnx_encoder import OnnxEncoder, Span, open_session
from sightline.reading.vectors import Vectors, unit

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

Floats = NDArray[np.float32]
HeadName = Literal["event", "role", "realis", "useful", "section"]

VERSION: Final = 2
"""Of the layout of `heads.npz`; raised together with the script that writes it."""
FILE: Final = "heads.npz"
READER: Final = "reader.onnx"
WHOLE, NAMED, READ = slice(0, 384), slice(384, 768), slice(768, 896)
"""Of the vector of a sentence: the sentence, the company's name in it, what the reader makes of both."""

LABELS: Final[dict[HeadName, tuple[str, ...]]] = {
    "event": ("none", *SignalType),
    "role": ("actor", "other", "neither"),
    "realis": ("happened", "ongoing", "planned", "possible", "denied", "none"),
    "useful": ("false", "true"),
    "section": ("none", "goal", "priority", "digital", "industry", "makes", "loses", "risk"),
}  # fmt: skip


class HeadsDoNotFit(RuntimeError):
    """The heads were trained for other types or vectors than the code has: `make train` makes them."""


@dataclass(frozen=True, slots=True)
class Head:
    """One classifier. `thresholds`: the probability from which a label may be said; above 1, never.
    `layers` read the first `dimensions` of a vector; `reads`, where there is one, what the reader made."""

    labels: tuple[str, ...]
    thresholds: Floats
    dimensions: int
    layers: tuple[tuple[Floats, Floats], ...]
    reads: tuple[Floats, Floats] | None = None

    def probabilities(self, vectors: Vectors) -> Floats:
        """(n, labels), rows that add up to 1, for vectors of so many `dimensions` or more. 20 µs a row."""
        values = np.asarray(vectors[:, : self.dimensions], np.float32)
        for number, (weights, bias) in enumerate(self.layers):
            values = values @ weights + bias
            if number + 1 < len(self.layers):
                values = np.maximum(values, 0)
        if self.reads is not None:  # the mean of both, as each errs elsewhere
            read = np.asarray(vectors[:, READ], np.float32) @ self.reads[0] + self.reads[1]
            values = np.asarray((values + read) / 2, np.float32)
        values = np.exp(values - values.max(axis=1, keepdims=True, initial=-np.inf))
        return np.asarray(values / values.sum(axis=1, keepdims=True), np.float32)


def head(name: HeadName) -> Head:
    """A head of the installation, loaded once. Raises HeadsDoNotFit, BundledFileIsBroken."""
    return _load()[1][name]


def head_encoder(encoder: Encoder | None) -> OnnxEncoder | None:
    """The encoder, where the heads can read its vectors; None where they are off."""
    try:
        made_for = _load()[0]
    except (HeadsDoNotFit, BundledFileIsBroken):
        return None
    return encoder if isinstance(encoder, OnnxEncoder) and encoder.name == made_for else None


def sentence_vectors(
    encoder: OnnxEncoder, texts: Sequence[str], spans: Sequence[Sequence[Span]]
) -> Vectors:
    """(n, 896): each text with the company that its spans of characters name; zeros for the name where
    there is none. 5 ms a text. Blocks. Raises EncoderFailed, BundledFileIsBroken."""
    reader = _reader()
    rows = np.zeros((len(texts), READ.stop), np.float32)
    for row, tokens in zip(rows, encoder.tokens(texts, spans), strict=True):
        row[WHOLE] = tokens.last.mean(axis=0)
        if tokens.touched.any():
            row[NAMED] = tokens.last[tokens.touched].mean(axis=0)
        mention = tokens.touched[None].astype(np.float32)
        fed = {"states": tokens.halfway[None], "mention": mention}
        row[READ] = reader.run(["vector"], fed)[0][0]
    rows[:, WHOLE], rows[:, NAMED] = unit(rows[:, WHOLE]), unit(rows[:, NAMED])
    return rows


@lru_cache(maxsize=1)
def _reader() -> "InferenceSession":
    """Loaded once by a process that reads sentences: 20 MB."""
    return open_session(read_bundled(READER))


@lru_cache(maxsize=1)
def _load() -> tuple[str, dict[HeadName, Head]]:
    with np.load(io.BytesIO(read_bundled(FILE)), allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    if int(arrays["version"]) != VERSION:
        raise HeadsDoNotFit(f"{FILE} has the layout {arrays['version']}, not {VERSION}.")
    return str(arrays["encoder"]), {name: _head(name, arrays) for name in LABELS}


def _head(name: HeadName, arrays: dict[str, NDArray[np.generic]]) -> Head:
    labels = tuple(str(each) for each in arrays[f"{name}.labels"])
    if labels != tuple(str(each) for each in LABELS[name]):
        different = sorted(set(labels) ^ {str(each) for each in LABELS[name]})
        raise HeadsDoNotFit(f"The head {name} was trained for other labels: {different}.")
    layers: list[tuple[Floats, Floats]] = []
    while f"{name}.weights.{len(layers)}" in arrays:
        pair = (arrays[f"{name}.weights.{len(layers)}"], arrays[f"{name}.bias.{len(layers)}"])
        layers.append((np.asarray(pair[0], np.float32), np.asarray(pair[1], np.float32)))
    thresholds = np.asarray(arrays[f"{name}.thresholds"], np.float32)
    reads = None
    if f"{name}.reads.weights" in arrays:
        pair = (arrays[f"{name}.reads.weights"], arrays[f"{name}.reads.bias"])
        reads = (np.asarray(pair[0], np.float32), np.asarray(pair[1], np.float32))
    return Head(labels, thresholds, layers[0][0].shape[0], tuple(layers), reads)
