"""The bundled heads say of the stored vectors what `make train` prints when it makes them again.

`training/labels/sealed` has vectors and labels of 1,000 sentences that nothing was chosen by. Training twice
gives other bytes, as sums are added in another order; it must give the same figures.
"""

from typing import cast

import numpy as np
import pytest
from training import labelled

from sightline.reading.heads import HeadName, head

WITHIN = 0.002
# As `make train` printed them on a copy of this tree: the share that is right, of events micro F1.
PRINTED = {"event": 0.335, "role": 0.678, "realis": 0.811}


@pytest.mark.parametrize("name", PRINTED)
def test_the_bundled_heads_are_those_that_training_makes(name: str) -> None:
    rows = labelled.kept("sealed")
    chosen = np.flatnonzero(rows.known(cast("HeadName", name)))
    truth = list(np.array(rows.labels[name])[chosen])
    trained = head(cast("HeadName", name))
    chances = trained.probabilities(rows.vectors[chosen])
    best = chances.argmax(axis=1)
    sure = chances[np.arange(len(best)), best] >= trained.thresholds[best]
    silent = trained.labels[0]
    said = [trained.labels[b] if s else silent for b, s in zip(best, sure, strict=True)]
    if name == "event":
        hits = sum(t == s != silent for t, s in zip(truth, said, strict=True))
        found = (
            2 * hits / sum((t != silent) + (s != silent) for t, s in zip(truth, said, strict=True))
        )
    else:
        found = float(np.mean([t == s for t, s in zip(truth, said, strict=True)]))
    assert found == pytest.approx(PRINTED[name], abs=WITHIN)
