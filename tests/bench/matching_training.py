"""Fit the weights of company matching and print them as `src/sightline/match/data/weights.toml`.

    python -m tests.bench.matching_training [--shared FOLDER]

Pairs come from three kinds of sources: invented organizations in many scripts (`matching_world`),
the recorded public lists if they are there (`matching_lists`), and the labelled pairs of
`tests/eval/organization_pairs.csv`. Logistic regression by Newton's method with an L2 penalty; a
weight whose sign contradicts its feature's meaning is set to 0. Identifiers, domains and addresses are
too rare in the lists to be fitted: their weights are set by hand.
"""

import argparse
import csv
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sightline.match.features import FEATURES
from sightline.match.records import Candidate
from sightline.match.scoring import features_of_pairs
from tests.bench import matching_lists, matching_world

ROOT = Path(__file__).resolve().parents[2]
SHARES = {"invented": 1.0, "employers": 0.3, "boards": 0.5, "tickers": 0.7, "labelled": 0.6}
SET_BY_HAND = {
    "address_same": 1.5, "address_differs": -0.3, "domain_same": 5.0, "domain_differs": -0.7,
    # Given pairs hold few numbers, and school 5 is never school 7.
    "number_differs": -3.0,
    "ticker_same": 3.0, "ticker_differs": -1.5, "lei_same": 9.0, "lei_differs": -5.0,
}  # fmt: skip
SPEAKS_AGAINST = (
    "replaced", "added", "differs", "overlap_low", "near_words", "is_other", "one_short", "city_near",
)  # fmt: skip
FREE = {"other_script", "near_words_other_script"}
PENALTY = 10.0

Matrix = npt.NDArray[np.float64]


def labelled() -> list[matching_lists.Pair]:
    """The labelled pairs of the evaluation."""
    path = ROOT / "tests/eval/organization_pairs.csv"
    with path.open(encoding="utf-8") as file:
        return [
            (
                Candidate("", row["left_name"], row["left_country"] or None),
                Candidate("", row["right_name"], row["right_country"] or None),
                row["same"] == "1",
            )
            for row in csv.DictReader(file)
        ]


def sources(shared: Path) -> dict[str, list[matching_lists.Pair]]:
    """Pairs by source."""
    found = {"invented": matching_world.pairs(9000), "labelled": labelled()}
    if shared.is_dir():
        for name, records in matching_lists.tables(shared).items():
            keep = 0.0 if name == "tickers" else 0.7
            found[name] = matching_lists.pairs(records, 3000, keep_places=keep)
    return found


def columns(pairs: list[matching_lists.Pair]) -> tuple[Matrix, Matrix]:
    """Features and answers."""
    features = features_of_pairs([(left, right) for left, right, _ in pairs]).astype(float)
    return features, np.array([float(same) for *_, same in pairs])


def fit(data: dict[str, tuple[Matrix, Matrix]]) -> Matrix:
    """Weights in the order of FEATURES, then the bias."""
    weight = np.concatenate(
        [
            np.where(answer == 1, 0.5 / answer.mean(), 0.5 / (1 - answer.mean()))
            / len(answer) * 6000 * SHARES[name]
            for name, (_, answer) in data.items()
        ]
    )  # fmt: skip
    features = np.vstack([each for each, _ in data.values()])
    answer = np.concatenate([each for _, each in data.values()])
    sign = np.array(
        [0 if n in FREE else -1 if any(t in n for t in SPEAKS_AGAINST) else 1 for n in FEATURES]
    )
    used = np.ones(len(FEATURES), np.bool_)
    while True:
        found = np.zeros(len(FEATURES) + 1)
        fitted = newton(features[:, used], answer, weight)
        found[:-1][used], found[-1] = fitted[:-1], fitted[-1]
        wrong = np.where(used, found[:-1] * sign, 0)
        if wrong.min() >= 0:
            break
        used[wrong.argmin()] = False
    # Set after the fit: the other weights are those beside the fitted ones.
    for name, value in SET_BY_HAND.items():
        found[FEATURES.index(name)] = value
    return found


def newton(features: Matrix, answer: Matrix, weight: Matrix) -> Matrix:
    """Weighted logistic regression; the last value is the bias."""
    rows = np.hstack([features, np.ones((len(features), 1))])
    penalty = np.eye(rows.shape[1]) * PENALTY
    penalty[-1, -1] = 1e-6
    found = np.zeros(rows.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-np.clip(rows @ found, -30, 30)))
        slope = rows.T @ (weight * (chance - answer)) + penalty @ found
        curve = (rows * (weight * chance * (1 - chance))[:, None]).T @ rows + penalty
        step = np.linalg.solve(curve, slope)
        found -= step
        if np.abs(step).max() < 1e-5:
            break
    return found


def accuracy(found: Matrix, features: Matrix, answer: Matrix) -> float:
    """Share of right answers at one half."""
    return float((((features @ found[:-1] + found[-1]) > 0) == (answer > 0.5)).mean())


def main() -> None:
    """Fit and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared/data")
    shared = parser.parse_args().shared
    data = {name: columns(pairs) for name, pairs in sources(shared).items()}
    for name in data:
        without = fit({other: each for other, each in data.items() if other != name})
        print(f"# {name}: {accuracy(without, *data[name]):.3f} right when fitted on the others")
    found = fit(data)
    print(f"bias = {found[-1]:.3f}\n\n[weights]")
    for name, value in zip(FEATURES, found[:-1], strict=True):
        print(f"{name} = {value:.3f}")


if __name__ == "__main__":
    main()
