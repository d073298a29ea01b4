"""The heads: what they read, and that they are refused where they do not fit the code."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from sightline.domain.signals import SignalType
from sightline.reading import heads
from sightline.reading.encoder import EncoderConfig, open_encoder
from sightline.reading.heads import (
    LABELS,
    NAMED,
    READ,
    WHOLE,
    HeadsDoNotFit,
    head,
    head_encoder,
    sentence_vectors,
)
from sightline.reading.onnx_encoder import bundled_encoder


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
    rows = found.probabilities(np.ones((3, READ.stop), np.float32))
    assert rows.shape == (3, len(found.labels))
    assert np.allclose(rows.sum(axis=1), 1, atol=1e-4)
    assert found.probabilities(np.zeros((0, READ.stop), np.float32)).shape[0] == 0


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


def test_a_sentence_is_read_for_the_company_that_is_named_in_it() -> None:
    encoder = bundled_encoder()
    text = "Harbor Analytics has agreed to acquire Northquay Robotics for $310 million."
    vectors = sentence_vectors(encoder, [text] * 3, [[(0, 16)], [(39, 57)], []])
    assert vectors.shape == (3, READ.stop)
    assert np.allclose(vectors[:, WHOLE], encoder.encode_now([text] * 3), atol=1e-6)
    assert np.allclose(np.linalg.norm(vectors[:, NAMED], axis=1), [1, 1, 0], atol=1e-5)
    assert np.abs(vectors[:, READ]).max() <= 1
    event, role = head("event"), head("role")
    types = [event.labels[at] for at in event.probabilities(vectors).argmax(axis=1)]
    assert types == [SignalType.ACQUIRES] * 3
    places = [role.labels[at] for at in role.probabilities(vectors[:2]).argmax(axis=1)]
    assert places == ["actor", "other"]
    assert sentence_vectors(encoder, [], []).shape == (0, READ.stop)
