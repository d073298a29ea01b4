"""Detects sentences that give instructions to a machine. They are never evidence.

A second line of defense: what a tool may do and what may be said is bounded without it. A small linear
head over the words and letters of a sentence says what is one; `training/orders.py` fits it on sentences of
our own in seven languages. Only the marks of chat templates are known by their shape.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Final
from zlib import crc32

import numpy as np

from sightline.reading.bundled import read_bundled
from sightline.reading.vectors import Vectors

HEAD: Final = "orders.weights"
SIZE: Final = 1 << 14  # weights, in steps of a byte
STEP: Final = 16.0  # steps of one unit
# The score from which a sentence is one; what it finds and costs is in training/README.md.
LEAST: Final = 0.0
_LETTERS: Final = 4  # in a row
_LONGEST: Final = 300  # characters of a sentence that are read at once
_FEWEST: Final = 3  # words of a sentence
_UNSEEN: Final = frozenset(("Mn", "Cf"))  # accents, zero-width and direction marks
_WORD: Final = re.compile(r"\w+")
_PIECE: Final = re.compile(r"(?<=[.!?;])\s+|\n+")
_BLOCK: Final = re.compile(r"\n\s*\n")
# What parts the messages of a chat, calls tools, or loads an address when it is shown.
_MARKS: Final = re.compile(
    r"<\s*/?\s*(?:system|assistant|user|tool|instructions?)\b|<\|\w+\|>|\[/?(?:inst|system)\]|\{\{|!\[[^\[\]]*\]\("
    r"|[\"'](?:role[\"']\s*:\s*[\"'](?:system|assistant|tool|developer)|tool_calls)[\"']|^\W{0,4}(?:system|assistant)\s*:",
    re.M,
)


def is_order(text: str) -> bool:
    """Whether a text has a sentence that speaks to the machine instead of about the company."""
    plain = folded(text)
    return _MARKS.search(plain) is not None or any(score(one) > LEAST for one in _pieces(plain))


def without_orders(text: str) -> str:
    """A text without the paragraphs that speak to the machine, for an order may go on in the next sentence;
    "" when nothing else is left."""
    if not is_order(text):
        return text
    kept = "\n\n".join(block for block in _BLOCK.split(text) if not is_order(block))
    return "" if is_order(kept) else kept


def folded(text: str) -> str:
    """In lower case, without accents and what is not seen."""
    if text.isascii():
        return text.lower()
    opened = unicodedata.normalize("NFKD", text)
    return "".join(c for c in opened if unicodedata.category(c) not in _UNSEEN).lower()


def _pieces(plain: str) -> Iterator[str]:
    for piece in _PIECE.split(plain):
        for start in range(0, len(piece), _LONGEST):
            if len(_WORD.findall(part := piece[start : start + _LONGEST])) >= _FEWEST:
                yield part


def features(plain: str) -> list[int]:
    """Which weights count for a folded sentence: those of its words, pairs of words and runs of letters."""
    words = ["0" if word.isdigit() else word for word in _WORD.findall(plain)]
    found = {*words, *(f"{a} {b}" for a, b in pairwise(words))}
    for word in words:
        edged = f"<{word}>"
        found |= {f"#{edged[at : at + _LETTERS]}" for at in range(len(edged) - _LETTERS + 1)}
    return sorted({crc32(one.encode()) % SIZE for one in found})


def score(plain: str) -> float:
    """Above 0 of what is more likely an order."""
    at = features(plain)
    weights = _weights()
    return float(weights[at].sum() / max(1.0, len(at) ** 0.5) + weights[-1])


@cache
def _weights() -> Vectors:
    """One for each feature, and the bias. Raises BundledFileIsBroken."""
    return np.frombuffer(read_bundled(HEAD), np.int8).astype(np.float32) / STEP
