"""Texts as rows of numbers whose product is their similarity."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


def unit(vectors: Any) -> Vectors:
    """The same directions, each of length 1; zeros stay zeros."""
    rows = np.asarray(vectors, np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, 1e-9), np.float32)


def printable(text: str, longest: int) -> str:
    """At most `longest` characters, without lone surrogates, which no tokenizer or server takes."""
    return text[:longest].encode("utf-8", "replace").decode()


def pack_vectors(vectors: Vectors) -> list[bytes]:
    """A row of bytes each; a vector of zeros stays one."""
    largest = np.maximum(np.abs(vectors).max(axis=1, initial=0.0, keepdims=True), 1e-9)
    steps = np.round(127.0 * vectors / largest).astype(np.int8)
    return [row.tobytes() for row in steps]


def cosines(packed: bytes, sizes: Sequence[int], query: Vectors) -> Vectors:
    """Of texts to the query (of length 1), each by the nearest of its packed vectors; `sizes` are bytes,
    text by text. Zeros where the dimensions differ."""
    counts = np.asarray(sizes, np.int64) // len(query)
    if not len(counts) or not counts.all() or len(packed) != counts.sum() * len(query):
        return np.zeros(len(counts), np.float32)
    rows = np.frombuffer(packed, np.int8).reshape(-1, len(query)).astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    near = rows @ query / np.maximum(lengths, 1e-9)
    return np.asarray(np.maximum.reduceat(near, np.cumsum(counts) - counts), np.float32)
