"""Vectors of meaning as bytes, a byte a dimension, and how near a request is to each of them.

A company's vectors are few enough to compare all: 10,000 of 384 dimensions are 3.8 MB and a millisecond.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sightline.search.postings import Floats

IN_CHUNK = 256  # documents of a segment whose vectors are kept together
_STEPS = 127.0

Chunk = tuple[int, int]  # segment, number of the chunk


def pack_vectors(vectors: Floats) -> list[bytes]:
    """Rows of length 1, in chunks: the number of rows, a scale for each, a signed byte a dimension."""
    packed = []
    for first in range(0, len(vectors), IN_CHUNK):
        rows = vectors[first : first + IN_CHUNK]
        scales = np.maximum(np.abs(rows).max(axis=1, initial=0.0), 1e-9).astype("<f4") / _STEPS
        steps = np.round(rows / scales[:, None]).astype(np.int8)
        packed.append(
            np.uint32(len(rows)).tobytes() + scales.astype("<f4").tobytes() + steps.tobytes()
        )
    return packed


def _unpack(packed: bytes) -> tuple[Floats, NDArray[np.int8]]:
    """(scales, steps); a row is its steps times its scale."""
    rows = int(np.frombuffer(packed, "<u4", 1)[0])
    scales = np.frombuffer(packed, "<f4", rows, 4).astype(np.float32)
    return scales, np.frombuffer(packed, np.int8, -1, 4 + 4 * rows).reshape(rows, -1)


def unpack_vectors(chunks: Sequence[bytes]) -> Floats:
    """The rows of chunks in their order, within half a step of what they were."""
    parts = [_unpack(packed) for packed in chunks]
    return np.concatenate([scales[:, None] * steps for scales, steps in parts]).astype(np.float32)


def likeness(query: Floats, chunks: Mapping[Chunk, bytes], documents: Mapping[int, int]) -> Floats:
    """The cosine of every document to the request: `documents` has how many each segment has, in order.
    0 for those without a vector, or with one of other dimensions."""
    firsts = dict(zip(documents, np.cumsum([0, *documents.values()])[:-1].tolist(), strict=True))
    scores = np.zeros(sum(documents.values()), np.float32)
    for (segment, number), packed in chunks.items():
        scales, steps = _unpack(packed)
        if steps.shape[1] == len(query) and segment in firsts:
            first = firsts[segment] + number * IN_CHUNK
            scores[first : first + len(steps)] = scales * (steps.astype(np.float32) @ query)
    return scores
