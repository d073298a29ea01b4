"""What a model is shown besides: what is new and of use first, nothing that the report before has."""

from collections.abc import Sequence
from typing import cast

import numpy as np
import pytest

from sightline.profile import insights
from sightline.profile.evidence import Document
from sightline.reading.encoder import Encoder
from sightline.reading.heads import LABELS
from sightline.reading.vectors import Vectors
from tests.profile.heads import _head
from tests.profile.test_fact_sections import evidence
from tests.profile.test_share_out import COST, GREW, INTRODUCED, LOST, report

PROGRAM = "Our Larkspur Academy in Bergen has offered courses to drivers since May 2025."
SUIT = "In June 2025 Osprey Foods sued Larkspur Freight in Oslo over spoiled fish."
ALIKE = SUIT.replace("Oslo", "Bergen")
LAST_YEAR = "Charges for closed depots in Sweden were $9 million in 2023."


class UsefulEncoder:
    """One number a text: whether it is of use."""

    name, dimensions = "bundled:scripted", 1

    def encode_now(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        del query
        useful = (COST, LOST, SUIT, ALIKE, LAST_YEAR)
        return np.array([[1.0 if text in useful else -1.0] for text in texts], np.float32)


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> UsefulEncoder:
    heads = {
        "useful": _head(("false", "true"), [[-9.0, 9.0]], threshold=0),
        "section": _head(LABELS["section"], [[0.0] * 8], threshold=1),
    }
    monkeypatch.setattr(insights, "head", heads.__getitem__)
    monkeypatch.setattr(insights, "head_encoder", lambda given: given)
    monkeypatch.setattr(
        insights, "sentence_vectors", lambda reader, texts, spans: reader.encode_now(texts)
    )
    return UsefulEncoder()


def reports() -> list[Document]:
    now = report(
        ("7", "Costs", COST), ("7", "Revenue", GREW), ("1", "People", PROGRAM), ("8", "Notes", SUIT),
        ("8", "Notes", ALIKE), ("7", "Depots", LAST_YEAR), ("1a", "Risks", LOST),
    )  # fmt: skip
    return [now, report(("1a", "Risks", LOST), days=380)]


def test_what_is_new_and_of_use_is_shown(encoder: UsefulEncoder) -> None:
    shown = insights.read(evidence(documents=reports()), cast(Encoder, encoder)).leads
    # What it does was said a year before too. What is alike may have another cause beside it.
    assert [each.text for each in shown] == [*(text for *_, text in INTRODUCED), COST, SUIT, ALIKE]


def test_without_classifiers_its_own_sentences_are_shown() -> None:
    shown = insights.read(evidence(documents=reports()), None).leads
    said = [each.text for each in shown]
    assert PROGRAM in said
    assert LOST not in said
    assert len(said) == len(set(said))
