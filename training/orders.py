"""Fit the head that finds sentences which speak to a machine: `reading/data/orders.weights`.

Run: python -m training.orders   (from `orders.toml` and the sentences of our own in this folder)
"""

import json
import random
import tomllib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from training.artefacts import write_artefact

from sightline.reading import orders

HERE = Path(__file__).resolve().parent
EACH = 12  # of the second list joined with each of the first
SPLIT = 4  # folds


def positives(draw: random.Random) -> list[str]:
    """Orders: as written, each opener with some demands, and all of them hidden in a page."""
    said = tomllib.loads((HERE / "orders.toml").read_text("utf-8"))
    joined = _joined(said["openers"], said["demands"], draw)
    whole = [*said["orders"], *said["demands"], *said["openers"], *joined]
    return [*whole, *(draw.choice(said["wrappers"]).replace("…", one) for one in whole)]


def negatives(draw: random.Random) -> list[str]:
    """Sentences about companies, of our own; of each also some words, for what is read is not always a whole
    sentence."""
    said = tomllib.loads((HERE / "orders.toml").read_text("utf-8"))
    whole = [*said["others"], *said["captions"]]
    for firsts, seconds in (
        ("subjects", "predicates"),
        ("addresses", "duties"),
        ("numbers", "topics"),
    ):
        whole += _joined(said[firsts], said[seconds], draw)
    examples = tomllib.loads((HERE / "examples.toml").read_text("utf-8"))
    whole += [row[-1] for row in examples["examples"]]
    for file in sorted((HERE / "sentences").glob("*.tsv")):
        whole += [line.split("\t")[-1] for line in file.read_text("utf-8").splitlines()[1:]]
    for file in sorted((HERE / "written").glob("*.jsonl")):
        whole += [json.loads(line)["text"] for line in file.read_text("utf-8").splitlines()]
    whole += [draw.choice(said["wrappers"]).replace("…", one) for one in whole[::3]]
    return [*whole, *_parts(whole, draw)]


def _joined(firsts: list[str], seconds: list[str], draw: random.Random) -> Iterator[str]:
    for first in firsts:
        yield from (f"{first} {second}" for second in draw.sample(seconds, EACH))


def _parts(sentences: list[str], draw: random.Random) -> Iterator[str]:
    for words in (sentence.split() for sentence in sentences):
        start = draw.randrange(max(1, len(words) - 2))
        yield " ".join(words[start : start + draw.randint(3, 7)])


def matrix(sentences: list[str]) -> csr_matrix:
    """A row a sentence: its features, of length 1."""
    columns = [orders.features(orders.folded(sentence)) for sentence in sentences]
    counts = np.array([len(each) for each in columns])
    values = np.repeat(1.0 / np.sqrt(np.maximum(counts, 1)), counts)
    ends = np.concatenate([[0], counts.cumsum()])
    return csr_matrix((values, np.concatenate(columns), ends), (len(sentences), orders.SIZE))


def fitted(rows: csr_matrix, labels: np.ndarray) -> np.ndarray:
    """Logistic weights and the bias; both classes count the same."""
    made = LogisticRegression(C=10.0, class_weight="balanced", max_iter=400).fit(rows, labels)
    return np.r_[made.coef_[0], made.intercept_]


def main() -> None:
    """Print how the folds do, then write the weights of all."""
    draw = random.Random(11)  # noqa: S311 - no secret
    said, other = positives(draw), negatives(draw)
    sentences, labels = [*said, *other], np.array([True] * len(said) + [False] * len(other))
    rows = matrix(sentences)
    fold = np.array([draw.randrange(SPLIT) for _ in sentences])
    scores = np.zeros(len(sentences))
    for part in range(SPLIT):
        weights = fitted(rows[fold != part], labels[fold != part])
        scores[fold == part] = rows[fold == part] @ weights[:-1] + weights[-1]
    for least in (-1.0, -0.5, 0.0, 0.5, 1.0):
        print(
            f"from {least}: {np.mean(scores[labels] > least):.3f} of {labels.sum()} orders,"
            f" {np.sum(scores[~labels] > least)} of {(~labels).sum()} others"
        )
    packed = np.clip(np.round(fitted(rows, labels) * orders.STEP), -127, 127).astype(np.int8)
    write_artefact(orders.HEAD, packed.tobytes())


if __name__ == "__main__":
    main()
