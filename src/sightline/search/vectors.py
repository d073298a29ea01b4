"""Vectors as bytes, a signed byte a dimension. Only their direction is kept."""

import numpy as np

from sightline.search.evidence import Floats


def pack_vectors(vectors: Floats) -> list[bytes]:
    """A row of bytes each; a vector of zeros stays one."""
    largest = np.maximum(np.abs(vectors).max(axis=1, initial=0.0, keepdims=True), 1e-9)
    steps = np.round(127.0 * vectors / largest).astype(np.int8)
    return [row.tobytes() for row in steps]


def cosines(packed: bytes, count: int, query: Floats) -> Floats:
    """Of `count` packed vectors to the query (of length 1); zeros where their dimensions differ."""
    if not count or len(packed) != count * len(query):
        return np.zeros(count, np.float32)
    rows = np.frombuffer(packed, np.int8).reshape(count, -1).astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return np.asarray(rows @ query / np.maximum(lengths, 1e-9), np.float32)
