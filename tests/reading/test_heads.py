"""The heads: what they read, and that they are refused where they do not fit the code."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from sightline.domain.signals import SignalType
from sightline.reading import heads
from sightline.reading.encoder import EncoderConfig, open_encoder
from sightline.reading.heads import LABELS, HeadsDoNotFit, head, head_encoder


@pytest.fixture
def unloaded() -> Iterator[None]:
    heads._load.cache_clear()
    yield
    heads._load.cache_clear()


@pytest.mark.parametrize("name", LABELS)
def test_every_head_fits_the_code(name: heads.HeadName) -> None:
    found = head(name)
    assert found.labels == LABELS[name]
    assert found.thresholds.shape == (len(found.labels),)
    rows = found.probabilities(np.ones((3, found.dimensions), np.float32))
    assert rows.shape == (3, len(found.labels))
    assert np.allclose(rows.sum(axis=1), 1, atol=1e-4)
    assert found.probabilities(np.zeros((0, found.dimensions), np.float32)).shape[0] == 0


def test_a_type_without_training_is_refused(
    monkeypatch: pytest.MonkeyPatch, unloaded: None
) -> None:
    """A new row of the table of types needs `make train`, or the heads are off."""
    monkeypatch.setitem(heads.LABELS, "event", ("none", *SignalType, "opens_museum"))
    with pytest.raises(HeadsDoNotFit, match="opens_museum"):
        head("event")
    assert head_encoder(open_encoder(EncoderConfig())) is None


def test_only_vectors_of_the_bundled_encoder_are_read(tmp_path: Path) -> None:
    bundled = open_encoder(EncoderConfig())
    assert head_encoder(bundled) is bundled
    assert head_encoder(open_encoder(EncoderConfig(f"onnx:{tmp_path}"))) is None
    assert head_encoder(None) is None
