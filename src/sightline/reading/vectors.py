"""Texts as rows of numbers whose product is their similarity."""

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


def cosines(packed: bytes, count: int, query: Vectors) -> Vectors:
    """Of `count` packed vectors to the query (of length 1); zeros where their dimensions differ."""
    if not count or len(packed) != count * len(query):
        return np.zeros(count, np.float32)
    rows = np.frombuffer(packed, np.int8).reshape(count, -1).astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return np.asarray(rows @ query / np.maximum(lengths, 1e-9), np.float32)
