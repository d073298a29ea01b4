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
