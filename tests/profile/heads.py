"""A scripted encoder with its classifiers: a sentence that holds a phrase is what the script says."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from sightline.profile import insights
from sightline.reading.heads import LABELS, Head
from sightline.reading.vectors import Vectors

SCRIPT = {
    "electric trucks in Northern Europe": "priority",
    "automate every cold store": "digital",
    "cloud platform": "digital",
    "Our goal is to run": "goal",
}


class ScriptedEncoder:
    """Vectors that are labels: the classifiers read them back."""

    name = "bundled:scripted"

    def __init__(self, script: Mapping[str, str]) -> None:
        self.script = script
        self.dimensions = len(LABELS["section"])

    async def encode(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        return self.encode_now(texts, query=query)

    def encode_now(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        del query
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            label = next((own for words, own in self.script.items() if words in text), "none")
            rows[row, LABELS["section"].index(label)] = 1.0
        return rows

    async def failure(self) -> str | None:
        return None


def _head(labels: tuple[str, ...], weights: Any, *, threshold: float) -> Head:
    layer = (np.asarray(weights, np.float32), np.zeros(len(labels), np.float32))
    thresholds = np.full(len(labels), threshold, np.float32)
    return Head(labels, thresholds, len(weights), (layer,))


def scripted(
    monkeypatch: pytest.MonkeyPatch, script: Mapping[str, str] = SCRIPT
) -> ScriptedEncoder:
    """The encoder, with the classifiers put in the place of the installation's."""
    size = len(LABELS["section"])
    heads = {
        "section": _head(LABELS["section"], 20 * np.eye(size), threshold=0.5),
        "useful": _head(LABELS["useful"], np.tile([0.0, 20.0], (size, 1)), threshold=0.5),
    }
    encoder = ScriptedEncoder(script)
    monkeypatch.setattr(insights, "head", heads.__getitem__)
    monkeypatch.setattr(insights, "head_encoder", lambda given: given)
    monkeypatch.setattr(
        insights, "sentence_vectors", lambda reader, texts, spans: reader.encode_now(texts)
    )
    return encoder
