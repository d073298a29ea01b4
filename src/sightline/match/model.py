"""The weights that turn features into the probability that two records are one company."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from sightline.match.features import FEATURES, NAME_FEATURES

Rows = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Weights:
    """Log-odds: ``bias`` and one weight for each of FEATURES; the decision's limits."""

    bias: float
    values: npt.NDArray[np.float32]
    threshold: float
    pairs_threshold: float
    margin: float

    @property
    def of_names(self) -> npt.NDArray[np.float32]:
        """Those of NAME_FEATURES."""
        return self.values[: len(NAME_FEATURES)]

    @property
    def of_records(self) -> npt.NDArray[np.float32]:
        """Those of RECORD_FEATURES."""
        return self.values[len(NAME_FEATURES) :]


@cache
def shipped_weights() -> Weights:
    """The weights in ``data/weights.toml``; how they were made is said there."""
    text = files("sightline.match").joinpath("data", "weights.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    values = np.array([table["weights"].get(name, 0.0) for name in FEATURES], np.float32)
    return Weights(
        float(table["bias"]),
        values,
        float(table["threshold"]),
        float(table["pairs_threshold"]),
        float(table["margin"]),
    )


def probability(log_odds: Rows) -> Rows:
    """0 to 1."""
    found: Rows = (1 / (1 + np.exp(-log_odds.clip(-30, 30)))).astype(np.float32)
    return found
