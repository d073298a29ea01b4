"""Trains the heads, small classifiers over vectors of sentences: `src/sightline/reading/data/heads.npz`.

    python training/heads.py                     # from what is kept here: `make train`
    python training/heads.py collect ROWS LABELS [--sealed ROWS LABELS]   # new labels into training/labels

ROWS and LABELS are folders of JSON Lines that `n` joins: sentences with their source, and what was said of
them. Of sentences that others wrote, address, hash, offsets, labels and vectors are kept, and no text.

A label may be said from the probability on at which it is right four times in five, estimated from companies
that the fit did not see: four folds by company, or, for heads that look at what the reader (`reader.py`)
makes of a sentence, the companies that were left out of its training. Types of events that are said often
have a threshold of their own, the others one together. Each is then raised until four of five are right of
all sentences apart (left out, sealed, and our own that nothing is fitted on); a type that never is, or never
was said there, is off. Nothing else is chosen by the sealed sentences. Sections have thresholds of their own
(`PLACED_RIGHT`).
"""

import argparse
import io
import os
import sys
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # more wait for each other on a busy machine

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.neural_network import MLPClassifier

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]

from artefacts import write_artefact  # noqa: E402
from frames import frame_rows  # noqa: E402
from labelled import (  # noqa: E402
    WITH_MENTION,
    Array,
    Rows,
    apart,
    as_rows,
    encoded,
    found_rows,
    joined,
    keep,
    kept,
    own_rows,
)

from sightline.domain.signals import NOT_IN_SENTENCES  # noqa: E402
from sightline.reading.heads import FILE, LABELS, READ, VERSION, HeadName  # noqa: E402
from sightline.reading.onnx_encoder import bundled_encoder  # noqa: E402

warnings.filterwarnings("ignore", category=ConvergenceWarning)  # training ends early on purpose

OUT = HERE.parent / "src/sightline/reading/data"
DIMENSIONS = 384
NEVER = 2.0  # the threshold of a label that is not to be trusted
RIGHT = 0.8  # of the events that are said of unseen companies
COMMON = 20  # times that a type is said before it has a threshold of its own
# Of the sentences of unseen companies that are placed in a section: more where a wrong one turns it round.
# Plans count as one, and what is nothing or of the market is in no section.
PLANS = ("goal", "priority", "digital")
PLACED_RIGHT = {PLANS: 0.7, ("makes",): 0.8, ("loses",): 0.85, ("risk",): 0.85}
LEAST_OF_USE = 0.25  # chance that a sentence is of use, below which none is placed
# Of a sentence that we wrote, beside one that was found. Places are mostly told apart by ours.
OWN_WEIGHT = {
    "event": 0.5,
    "role": 1.5,
    "realis": 0.5,
    "useful": 0.5,
    "section": 0.5,
}
FRAME_WEIGHT = 0.5  # of a sentence made of a frame
FOLDS = 4
# A head is the mean of some networks, which is right more often than one and knows better when it is not.
MEMBERS = {"event": 5, "role": 2, "realis": 2, "useful": 4, "section": 4}
HIDDEN = {"event": 48, "role": 32, "realis": 24, "useful": 24, "section": 32}
EPOCHS = {"event": 6, "role": 25, "realis": 20, "useful": 10, "section": 10}
ALPHA = 0.1
# How much the name's vector counts beside the sentence's.
MENTION_WEIGHT = {"event": 0.4, "role": 1.0, "realis": 0.3}
# Heads that look at what the reader makes of a sentence as well. Places are not among them: it gives both
# sides of a deal the same one.
READER_STRENGTH = {
    "event": 0.3,
    "realis": 0.3,
    "useful": 0.03,
    "section": 0.03,
}  # the C of its regression
READER_OWN, READER_FRAME = 1.0, 0.3  # as OWN_WEIGHT and FRAME_WEIGHT


def fit(name: HeadName, rows: Rows, chosen: Array, frames: Rows) -> "Fitted":
    made = np.flatnonzero(frames.known(name))
    labels = np.concatenate(
        [np.array(rows.labels[name])[chosen], np.array(frames.labels[name])[made]]
    )
    own = np.where(np.array(rows.own)[chosen], OWN_WEIGHT[name], 1.0)
    weights = np.concatenate([own, np.full(len(made), FRAME_WEIGHT)])
    features = np.concatenate([rows.features(name)[chosen], frames.features(name)[made]])
    features = features * scale(name)
    networks = [
        MLPClassifier(
            hidden_layer_sizes=(HIDDEN[name],), alpha=ALPHA, max_iter=EPOCHS[name],
            n_iter_no_change=EPOCHS[name], batch_size=64, random_state=seed,
        ).fit(features, labels, sample_weight=weights)
        for seed in range(MEMBERS[name])
    ]  # fmt: skip
    fitted = Fitted.of(name, networks)
    if name in READER_STRENGTH:
        fitted.reads = reading(name, rows, chosen, frames)
    return fitted


def reading(name: HeadName, rows: Rows, chosen: Array, frames: Rows) -> tuple[Array, Array]:
    """Weights and bias over what the reader makes of sentences."""
    chosen, made = chosen[rows.read[chosen]], np.flatnonzero(frames.known(name))
    labels = np.concatenate(
        [np.array(rows.labels[name])[chosen], np.array(frames.labels[name])[made]]
    )
    own = np.where(np.array(rows.own)[chosen], READER_OWN, 1.0)
    fitted = LogisticRegression(C=READER_STRENGTH[name], max_iter=400).fit(
        np.concatenate([rows.vectors[chosen][:, READ], frames.vectors[made][:, READ]]),
        labels,
        np.concatenate([own, np.full(len(made), READER_FRAME)]),
    )
    columns = [LABELS[name].index(str(label)) for label in fitted.classes_]
    weights = np.zeros((READ.stop - READ.start, len(LABELS[name])))
    bias = np.full(len(LABELS[name]), -30.0)
    weights[:, columns], bias[columns] = fitted.coef_.T, fitted.intercept_
    return weights, bias


def scale(name: HeadName) -> Array:
    """What vectors of length 1 are multiplied with, so that networks learn well from them."""
    whole = np.full(DIMENSIONS, np.sqrt(DIMENSIONS))
    if name not in WITH_MENTION:
        return whole
    return np.concatenate([whole, whole * MENTION_WEIGHT[name]])


@dataclass
class Fitted:
    """The layers of a network over all labels of a head; one that never occurred has no chance."""

    name: HeadName
    layers: list[tuple[Array, Array]]
    reads: tuple[Array, Array] | None = None

    @classmethod
    def of(cls, name: HeadName, networks: Sequence[MLPClassifier]) -> "Fitted":
        """The networks side by side as one, whose last layer is the mean of theirs."""
        hidden = np.concatenate([each.coefs_[0] for each in networks], axis=1)
        bias = np.concatenate([each.intercepts_[0] for each in networks])
        last = np.concatenate([each.coefs_[1] for each in networks]) / len(networks)
        last_bias = np.mean([each.intercepts_[1] for each in networks], axis=0)
        if last.shape[1] == 1:  # two labels have one output: of the second
            last = np.concatenate([np.zeros_like(last), last], axis=1)
            last_bias = np.array([0.0, last_bias[0]])
        every = LABELS[name]
        columns = [every.index(str(label)) for label in networks[0].classes_]
        whole = np.zeros((last.shape[0], len(every)))
        whole_bias = np.full(len(every), -30.0)
        whole[:, columns], whole_bias[columns] = last, last_bias
        return cls(name, [(hidden * scale(name)[:, None], bias), (whole, whole_bias)])

    def probabilities(self, vectors: Array) -> Array:
        """As `Head.probabilities`."""
        features = vectors[:, : len(self.layers[0][0])]
        values = np.maximum(features @ self.layers[0][0] + self.layers[0][1], 0)
        values = values @ self.layers[1][0] + self.layers[1][1]
        if self.reads is not None:
            values = (values + vectors[:, READ] @ self.reads[0] + self.reads[1]) / 2
        values = np.exp(values - values.max(axis=1, keepdims=True))
        return np.asarray(values / values.sum(axis=1, keepdims=True))


def unseen(name: HeadName, rows: Rows, frames: Rows) -> tuple[Array, Array]:
    """The rows of a head, and the probabilities of each by a fit that saw nothing of its company."""
    chosen = np.flatnonzero(rows.known(name))
    if name in READER_STRENGTH:
        out = chosen[rows.left_out[chosen] & rows.read[chosen]]
        seen = chosen[~rows.left_out[chosen]]
        return out, fit(name, rows, seen, frames).probabilities(rows.vectors[out])
    groups = np.array(rows.groups)[chosen]
    chances = np.zeros((len(chosen), len(LABELS[name])))
    for seen, other in GroupKFold(FOLDS).split(chosen, groups=groups):
        fitted = fit(name, rows, chosen[seen], frames)
        chances[other] = fitted.probabilities(rows.vectors[chosen[other]])
    return chosen, chances


def placed_right(rows: Rows, chosen: Array, chances: Array, of_use: Array) -> Array:
    """By label of `section` the least probability from which the sentences that others wrote, are probably of
    use and get it are placed right often enough. Plans count as one."""
    labels = list(LABELS["section"])
    groups = [
        *PLACED_RIGHT,
        *((each,) for each in labels if not any(each in g for g in PLACED_RIGHT)),
    ]
    whole = np.stack([chances[:, [labels.index(e) for e in g]].sum(axis=1) for g in groups], axis=1)
    truth = np.array(rows.labels["section"])[chosen]
    best = whole.argmax(axis=1)
    is_found = ~np.array(rows.own)[chosen]
    found = np.full(len(labels), NEVER)
    found[0] = 0.0
    for number, (group, wanted) in enumerate(PLACED_RIGHT.items()):
        said = np.flatnonzero((best == number) & (of_use >= LEAST_OF_USE) & is_found)
        said = said[np.argsort(-whole[said, number])]
        shares = np.cumsum(np.isin(truth[said], group)) / np.arange(1, len(said) + 1)
        enough = np.flatnonzero(shares >= wanted)
        if len(enough):
            last = enough[-1]
            least = whole[said[last], number]
            found[[labels.index(each) for each in group]] = least
            print(f"  {'/'.join(group):24} {shares[last]:.2f} of {last + 1} from {least:.2f}")
    return found


def right_often(rows: Rows, chosen: Array, chances: Array) -> Array:
    """By type of event the least probability from which what is said is right often enough. Types
    that are said too seldom to tell share one, at which they are right often enough together."""
    best, chance = chances.argmax(axis=1), chances.max(axis=1)
    right = np.array(rows.labels["event"])[chosen] == np.array(LABELS["event"])[best]
    counts = np.bincount(best, minlength=chances.shape[1])
    columns = np.arange(1, len(counts))
    seldom = columns[counts[columns] < COMMON]
    found = np.full(len(counts), NEVER)
    found[0] = 0.0
    for group in (*np.setdiff1d(columns, seldom)[:, None], seldom):
        said = np.flatnonzero(np.isin(best, group))
        said = said[np.argsort(-chance[said])]
        shares = np.cumsum(right[said]) / np.arange(1, len(said) + 1)
        enough = np.flatnonzero(shares >= RIGHT)
        if len(enough):
            found[group] = chance[said[enough[-1]]]
    known = set(rows.labels["event"]) - NOT_IN_SENTENCES
    found[[label not in known for label in LABELS["event"]]] = NEVER
    return found


def proven(least: Array, right: Sequence[set[str]], chances: Array) -> Array:
    """Prints by type of event how much of what is said is right, of sentences that no fit saw with the types
    that are right for each. Answers the thresholds, raised to where four of five are; NEVER where none is."""
    best, chance = chances.argmax(axis=1), chances.max(axis=1)
    found = least.copy()
    for column in np.flatnonzero(least <= 1)[1:]:
        label = LABELS["event"][column]
        said = np.flatnonzero((best == column) & (chance >= least[column]))
        said = said[np.argsort(-chance[said])]
        hits = np.cumsum([label in right[row] for row in said])
        enough = np.flatnonzero(hits >= RIGHT * np.arange(1, len(said) + 1))
        found[column] = NEVER
        kept = 0
        if len(enough):
            kept = enough[-1] + 1
            found[column] = chance[said[kept - 1]] if kept < len(said) else least[column]
        told = f"{hits[-1] if len(said) else 0} of {len(said)} right from {least[column]:.2f}"
        then = f"; {hits[kept - 1]} of {kept} from {found[column]:.3f}" if kept else "; off"
        print(f"  {label:28} {told}" + (then if kept != len(said) or not kept else ""))
    return found


# --- measuring ----------------------------------------------------------------------------------


def report(name: HeadName, truth: Sequence[str], chances: Array, least: Array) -> dict[str, float]:
    """Prints what the head says of each label, and answers the overall figures."""
    labels = LABELS[name]
    best = chances.argmax(axis=1)
    said = [
        labels[column] if chances[row, column] >= least[column] else labels[0]
        for row, column in enumerate(best)
    ]
    silent = labels[0]
    if name != "event":
        right = float(np.mean([one == other for one, other in zip(said, truth, strict=True)]))
        print(f"  {name}: {right:.3f} right of {len(said)}")
        return {"right": right}
    pairs = Counter(zip(truth, said, strict=True))
    told = sum(count for (_, s), count in pairs.items() if s != silent)
    there = sum(count for (t, _), count in pairs.items() if t != silent)
    hits = sum(count for (t, s), count in pairs.items() if t == s != silent)
    false = sum(count for (t, s), count in pairs.items() if t == silent != s)
    nothing = sum(count for (t, _), count in pairs.items() if t == silent)
    for label in labels[1:]:
        wanted = sum(count for (t, _), count in pairs.items() if t == label)
        named = sum(count for (_, s), count in pairs.items() if s == label)
        if wanted or named:
            hit = pairs[label, label]
            threshold = least[labels.index(label)]
            print(
                f"  {label:28} precision {hit / named if named else float('nan'):.2f} of {named:4}"
                f"  recall {hit / wanted if wanted else float('nan'):.2f} of {wanted:4}"
                f"  from {threshold:.2f}" + ("  (off)" if threshold > 1 else "")
            )
    micro = 2 * hits / max(1, told + there)
    print(
        f"  {name}: micro F1 {micro:.3f}, precision {hits / max(1, told):.3f}, recall"
        f" {hits / max(1, there):.3f}; something said of {false} of {nothing} without"
        f" ({false / max(1, nothing):.3f})"
    )
    return {"f1": micro, "precision": hits / max(1, told), "recall": hits / max(1, there)}


def write(fitted: dict[HeadName, tuple[Fitted, Array]]) -> None:
    """The artefact, and its line of `SHA256SUMS`."""
    arrays: dict[str, Array] = {
        "version": np.array(VERSION), "encoder": np.array(bundled_encoder().name),
    }  # fmt: skip
    for name, (head, least) in fitted.items():
        arrays[f"{name}.labels"] = np.array([str(each) for each in LABELS[name]])
        arrays[f"{name}.thresholds"] = least.astype(np.float32)
        if head.reads is not None:
            arrays[f"{name}.reads.weights"] = head.reads[0].astype(np.float16)
            arrays[f"{name}.reads.bias"] = head.reads[1].astype(np.float32)
        for number, (weights, bias) in enumerate(head.layers):
            arrays[f"{name}.weights.{number}"] = weights.astype(np.float16)
            arrays[f"{name}.bias.{number}"] = bias.astype(np.float32)
    made = io.BytesIO()
    np.savez_compressed(made, allow_pickle=False, **arrays)
    write_artefact(FILE, made.getvalue())


def train() -> None:
    texts, framed = own_rows(), frame_rows()
    rows = joined(kept("train"), as_rows(texts, encoded(texts)))
    frames = as_rows(framed, encoded(framed))
    sealed = kept("sealed")
    made: dict[HeadName, tuple[Fitted, Array]] = {}
    of_use = np.zeros(len(rows.groups))
    for name in LABELS:
        chosen, chances = unseen(name, rows, frames)
        least = np.zeros(len(LABELS[name]))
        if name == "event":
            least = right_often(rows, chosen, chances)
        elif name == "useful":
            of_use[chosen] = chances[:, 1]
        elif name == "section":
            least = placed_right(rows, chosen, chances, of_use[chosen])
        fitted = fit(name, rows, np.flatnonzero(rows.known(name)), frames)
        if name == "event":
            right, vectors = apart()
            right += [
                {each} for each in [*np.array(rows.labels[name])[chosen], *sealed.labels[name]]
            ]
            unseen_by_it = fitted.probabilities(np.concatenate([vectors, sealed.vectors]))
            print("event, said of sentences apart:")
            least = proven(
                least,
                right,
                np.concatenate(
                    [unseen_by_it[: len(vectors)], chances, unseen_by_it[len(vectors) :]]
                ),
            )
        made[name] = (fitted, least)
        for title, own in (("found", False), ("our own", True)):
            mask = np.array(rows.own)[chosen] == own
            if mask.any():
                print(f"{name}, unseen companies, {title} sentences:")
                report(name, list(np.array(rows.labels[name])[chosen][mask]), chances[mask], least)
    write(made)
    for name, (fitted, least) in made.items():
        chosen = np.flatnonzero(sealed.known(name))
        if not len(chosen):
            continue
        print(f"{name}, sealed:")
        truth = list(np.array(sealed.labels[name])[chosen])
        report(name, truth, fitted.probabilities(sealed.vectors[chosen]), least)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command")
    collect = commands.add_parser("collect", help="take labels in")
    collect.add_argument("rows", type=Path)
    collect.add_argument("labels", type=Path)
    collect.add_argument("--sealed", type=Path, nargs=2, metavar=("ROWS", "LABELS"))
    options = parser.parse_args()
    if options.command == "collect":
        keep("train", found_rows(options.rows, options.labels))
        if options.sealed:
            keep("sealed", found_rows(*options.sealed))
    else:
        train()


if __name__ == "__main__":
    main()
