"""The model that turns features into the probability that two records are the same company.

The log-odds are a bias plus what each feature adds, and what it adds is a step function of its value:
a generalized additive model, so that every decision can be read feature by feature.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from sightline.match.features import FEATURES

Rows = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Steps:
    """What one feature adds: ``effects[i]`` where i edges are at most the value."""

    edges: Rows
    effects: Rows

    def of(self, values: Rows) -> Rows:
        """What each value adds to the log-odds."""
        if len(self.edges) == 1:
            single = np.where(values >= self.edges[0], self.effects[1], self.effects[0])
            return np.asarray(single, np.float32)
        place = np.searchsorted(self.edges, values, side="right")
        return np.asarray(self.effects[place], np.float32)


@dataclass(frozen=True, slots=True)
class Model:
    """Log-odds: ``bias`` and the steps of FEATURES, in that order; None where one adds nothing."""

    bias: float
    steps: tuple[Steps | None, ...]
    threshold: float

    def log_odds(self, features: Rows) -> Rows:
        """The log-odds of rows of features."""
        total = np.full(len(features), self.bias, np.float32)
        for column, step in enumerate(self.steps):
            if step is not None:
                total += step.of(np.ascontiguousarray(features[:, column]))
        return total

    def effects(self, features: Rows) -> Rows:
        """What each feature of each row adds to the log-odds, columns as in FEATURES."""
        found = np.zeros(features.shape, np.float32)
        for column, step in enumerate(self.steps):
            if step is not None:
                found[:, column] = step.of(np.ascontiguousarray(features[:, column]))
        return found


@dataclass(frozen=True, slots=True)
class Weights:
    """The models for lists, in which a record competes with others, and for given pairs."""

    lists: Model
    pairs: Model
    margin: float

    @property
    def threshold(self) -> float:
        """Least probability of a match among candidates."""
        return self.lists.threshold

    @property
    def pairs_threshold(self) -> float:
        """Least probability of a match of a given pair."""
        return self.pairs.threshold


@cache
def shipped_weights() -> Weights:
    """The models in ``data/weights.json``; tests/bench/matching_training.py makes them."""
    text = files("sightline.match").joinpath("data", "weights.json").read_text(encoding="utf-8")
    table = json.loads(text)
    return Weights(_model(table["lists"]), _model(table["pairs"]), float(table["margin"]))


def _model(table: dict[str, object]) -> Model:
    steps: list[Steps | None] = []
    for name in FEATURES:
        found = table.get(name)
        steps.append(_steps(found) if isinstance(found, list) else None)
    return Model(float(str(table["bias"])), tuple(steps), float(str(table["threshold"])))


def _steps(table: Sequence[Sequence[float]]) -> Steps:
    edges, effects = table
    return Steps(np.array(edges, np.float32), np.array(effects, np.float32))


def probability(log_odds: Rows) -> Rows:
    """0 to 1."""
    found: Rows = (1 / (1 + np.exp(-log_odds.clip(-30, 30)))).astype(np.float32)
    return found
