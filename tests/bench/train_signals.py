"""Writes src/sightline/signals/data/words.txt and weights.tsv from the sentence templates beside it and the
learnt sentences of tests/eval/data, which are all but the files named ``*_more.tsv``: these are held back.

    python tests/bench/train_signals.py            train, write, print cross-validated micro F1
    python tests/bench/train_signals.py --dry-run  print only

Every template is filled several times with invented names. Folds are made over templates, so that a
template never is in both halves.
"""

import random
import re
import sys
import tomllib
from collections import Counter
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np

from sightline.signals import tokens, weights
from sightline.signals.context import context_of
from sightline.signals.patterns import find_hits
from sightline.signals.tokens import stem, tokenize
from sightline.signals.vectors import meaning_of
from sightline.signals.weights import CLASSES, NOTHING, features_of

HERE = Path(__file__).resolve().parent
LEARNT = HERE.parent / "eval" / "data"
HELD_BACK = "_more"  # how the names of files of sentences end that nothing is learnt from
DATA = HERE.parent.parent / "src/sightline/signals/data"
TODAY = date(2025, 6, 15)
COPIES = 5
ROUNDS = 2  # how often each word in a bracket is tried
PLACE = re.compile(r"\{(\w+)\}")
MARKS = re.compile(r"\[\[|\]\]")  # around the evidence in some sets
MIN_COUNT = 3
L2 = 0.000008
STEPS = 110
RATE = 0.08
# Pairs of words and groups are held down more than single ones, for they are many.
SCALES = {"b": 0.5, "k": 0.7, "kk": 0.5, "g": 0.5, "gg": 0.35}
MEANING = 3.0
PRUNE = 0.02
BLOCK = 4_000  # cells of a sparse matrix that are summed at once

FILLERS: dict[str, list[str]] = tomllib.loads(
    (HERE / "signal_fillers.toml").read_text(encoding="utf-8")
)
PLACES = {
    "P": "people", "R": "roles", "M": "money", "L": "places", "D": "dates", "N": "numbers", "T": "things",
    "F": "fields", "S": "subjects", "U": "units", "X": "percents", "Q": "periods",
}  # fmt: skip


def surround(template: str, dice: random.Random) -> str:
    """The template within a longer sentence, two times in three."""
    if template.startswith('"') or template[-1] in "?!":
        return template
    if dice.random() < 0.35:
        template = dice.choice(FILLERS["before"]) + template
    if dice.random() < 0.45:
        template = template.rstrip(".") + dice.choice(FILLERS["after"]) + "."
    return template


def fill(template: str, dice: random.Random) -> str:
    """A template with invented names in its places."""

    def company() -> str:
        tail = dice.choice(FILLERS["tails"])
        gap = (
            ""
            if not tail or tail[0] in " ." or tail[0].islower() or tail in {"Soft", "Pay"}
            else " "
        )
        return dice.choice(FILLERS["heads"]) + gap + tail

    known = {"C": company(), "C2": company()}

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name in known:
            return known[name]
        return dice.choice(FILLERS[PLACES[name]])

    text = template
    while PLACE.search(text):
        text = PLACE.sub(value, text)
    text = re.sub(r"\ba (?=[aeiou])", "an ", text)
    return text[0].upper() + text[1:]


def expand(template: str, copy: int) -> str:
    """The template with one of the words of each bracket, another one in every copy."""
    slots = template.split("[")
    for number, slot in enumerate(slots[1:], 1):
        words, _, rest = slot.partition("]")
        choices = words.split("|")
        turn = copy // len(choices)
        slots[number] = choices[(copy + turn * number) % len(choices)] + rest
    return "".join(slots)


def copies_of(template: str) -> int:
    """How often a template is filled: so often that every word of its brackets has been seen."""
    if "[" not in template:
        return 2 if "{" not in template else COPIES
    return ROUNDS * max(slot.partition("]")[0].count("|") + 1 for slot in template.split("[")[1:])


def headline(text: str) -> str:
    """The sentence as a headline in capitals."""
    small = {
        "a",
        "an",
        "the",
        "of",
        "in",
        "on",
        "for",
        "to",
        "and",
        "with",
        "at",
        "by",
        "as",
        "from",
    }
    return " ".join(
        word if word in small or not word[0].islower() else word[0].upper() + word[1:]
        for word in text.rstrip(".").split(" ")
    )


def read_templates() -> list[tuple[str, str]]:
    """(type, template) of every line."""
    rows = []
    for path in sorted(HERE.glob("signal_templates_*.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                kind, template = line.split("\t")[:2]
                if kind not in CLASSES:
                    sys.exit(f"{path.name}: there is no type {kind}.")
                rows.append((kind, template))
    return rows


def read_sentences() -> list[tuple[str, str]]:
    """(type, sentence) of every learnt sentence, once for each type that is wanted."""
    rows = []
    for path in sorted(LEARNT.glob("signal_*.tsv")):
        if not path.stem.endswith(HELD_BACK):
            for line in path.read_text(encoding="utf-8").splitlines():
                if not line.startswith("#"):
                    kinds, _, text = line.split("\t")
                    kinds, text = kinds.partition("|")[0], text.partition("|")[0]
                    kinds, text = kinds.replace("~", ""), MARKS.sub("", text)
                    rows += [(kind, text) for kind in kinds.split("+")]
    return rows


def write_words(rows: list[tuple[str, str]]) -> None:
    """Stems of the words that templates, patterns and the list of common words write in lower case."""
    words = {
        stem(word)
        for _, template in rows
        for word in re.findall(r"(?<![\w{])[a-zé]+(?![\w}])", template)
    }
    patterns = (DATA / "patterns.toml").read_text(encoding="utf-8")
    common = (HERE / "common_words.txt").read_text(encoding="utf-8")
    words |= {stem(word) for word in re.findall(r"[a-zé]+", patterns + common)}
    (DATA / "words.txt").write_text("\n".join(sorted(words)) + "\n", encoding="utf-8")
    tokens.common_stems.cache_clear()


@dataclass(frozen=True)
class Examples:
    """Filled templates: named features, meaning, class and number of the template of each."""

    features: list[dict[str, float]]
    meanings: np.ndarray
    labels: np.ndarray
    groups: np.ndarray

    def where(self, chosen: np.ndarray) -> "Examples":
        """Some of them."""
        features = [each for each, keep in zip(self.features, chosen, strict=True) if keep]
        return Examples(features, self.meanings[chosen], self.labels[chosen], self.groups[chosen])


def examples(rows: list[tuple[str, str]]) -> Examples:
    """Every template several times, within longer sentences and as a headline too."""
    dice = random.Random(7)
    features, meanings, labels, groups = [], [], [], []
    for number, (kind, template) in enumerate(rows):
        copies = copies_of(template)
        for copy in range(copies):
            plain = expand(template, copy)
            text = fill(plain if copy % 2 == 0 else surround(plain, dice), dice)
            if (copy + 1) % min(copies, COPIES) == 0 and kind != NOTHING:
                text = headline(text)
            sentence = tokenize(text)
            hits = find_hits(sentence)
            contexts = [context_of(sentence, hit, today=TODAY) for hit in hits]
            features.append(features_of(sentence, hits, contexts))
            meanings.append(meaning_of(sentence))
            labels.append(CLASSES.index(kind))
            groups.append(number)
    return Examples(features, np.array(meanings, float), np.array(labels), np.array(groups))


class Sums:
    """A sparse matrix that is multiplied by dense ones: rows, columns and values of its cells.

    Cells are summed block by block, so that the products of a block stay in the processor's cache.
    """

    def __init__(self, rows: np.ndarray, columns: np.ndarray, values: np.ndarray) -> None:
        order = np.argsort(rows, kind="stable")
        columns, values = columns[order], values[order][:, None]
        found, starts = np.unique(rows[order], return_index=True)
        self.blocks = []
        first = 0
        while first < len(found):
            last = max(first + 1, int(np.searchsorted(starts, starts[first] + BLOCK)))
            begin = starts[first]
            end = starts[last] if last < len(found) else len(columns)
            self.blocks.append(
                (
                    found[first:last],
                    columns[begin:end],
                    values[begin:end],
                    starts[first:last] - begin,
                )
            )
            first = last

    def of(self, dense: np.ndarray, height: int) -> np.ndarray:
        """The product, with `height` rows."""
        product = np.zeros((height, dense.shape[1]), dtype=dense.dtype)
        for rows, columns, values, starts in self.blocks:
            product[rows] = np.add.reduceat(dense[columns] * values, starts)
        return product


def train(data: Examples) -> weights.Weights:
    """Softmax regression by Adam on the whole set; L2 on the weights."""
    counts = Counter(name for each in data.features for name in each)
    names = sorted(name for name, count in counts.items() if count >= MIN_COUNT)
    rows = {name: row for row, name in enumerate(names)}
    scale = np.array([SCALES.get(name.partition(":")[0], 1.0) for name in names])
    cells = [
        (place, rows[name], value * scale[rows[name]])
        for place, each in enumerate(data.features)
        for name, value in each.items()
        if name in rows
    ]
    places, columns = (np.array([cell[axis] for cell in cells]) for axis in (0, 1))
    values = np.array([cell[2] for cell in cells])
    by_example, by_feature = Sums(places, columns, values), Sums(columns, places, values)
    meanings = data.meanings * MEANING
    size, labels = len(data.labels), data.labels
    y = np.zeros((size, len(CLASSES)))
    y[np.arange(size), labels] = 1
    importance = (1 / np.sqrt(np.maximum(y.mean(0), 0.005)))[labels][:, None]
    importance /= importance.mean()
    w = np.zeros((len(names), len(CLASSES)))
    v = np.zeros((meanings.shape[1], len(CLASSES)))
    b = np.zeros(len(CLASSES))
    moments = [(np.zeros_like(each), np.zeros_like(each)) for each in (w, v, b)]
    for step in range(1, STEPS + 1):
        scores = by_example.of(w, size) + meanings @ v + b
        scores -= scores.max(1, keepdims=True)
        chance = np.exp(scores)
        chance /= chance.sum(1, keepdims=True)
        error = (chance - y) * importance / size
        slopes = (
            by_feature.of(error, len(names)) + L2 * w,
            meanings.T @ error + L2 * v,
            error.sum(0),
        )
        for value, slope, (first, second) in zip((w, v, b), slopes, moments, strict=True):
            first += 0.1 * (slope - first)
            second += 0.01 * (slope * slope - second)
            value -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    return weights.Weights(rows, w * scale[:, None], v * MEANING, b)


def cross_validate(data: Examples) -> None:
    """Print micro F1 over five folds of templates: a prediction of `none` counts only as a miss."""
    right = said = there = 0
    nothing = CLASSES.index(NOTHING)
    for fold in range(5):
        held = data.groups % 5 == fold
        model, unseen = train(data.where(~held)), data.where(held)
        for each, meaning, label in zip(
            unseen.features, unseen.meanings, unseen.labels, strict=True
        ):
            chances = model.probabilities(each, meaning)
            best = CLASSES.index(max(chances, key=lambda name: chances[name]))
            right += best == label != nothing
            said += best != nothing
            there += label != nothing
    print(f"cross-validated micro F1 {2 * right / (said + there):.3f} "
          f"(precision {right / said:.3f}, recall {right / there:.3f})")  # fmt: skip


def save(model: weights.Weights) -> None:
    """Write the weights that matter, two decimals each, beside the number of their type."""
    lines = ["\t".join(("types", *CLASSES))]
    named = [(name, model.matrix[row]) for name, row in model.rows.items()]
    named += [(f"v:{place}", row) for place, row in enumerate(model.meaning)]
    for name, row in [("bias", model.bias), *sorted(named, key=lambda each: each[0])]:
        cells = [f"{column}:{value:.2f}" for column, value in enumerate(row) if abs(value) >= PRUNE]
        if cells:
            lines.append(f"{name}\t{' '.join(cells)}")
    (DATA / "weights.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Train and write."""
    dry = "--dry-run" in sys.argv
    templates = read_templates()
    if not dry:
        write_words(templates)
    data = examples(templates + read_sentences())
    print(f"{len(templates)} templates, {len(data.features)} sentences, "
          f"{len({name for each in data.features for name in each})} features")  # fmt: skip
    if "--quick" not in sys.argv:
        cross_validate(data)
    if not dry:
        save(train(data))


if __name__ == "__main__":
    main()
