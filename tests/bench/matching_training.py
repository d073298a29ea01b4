"""Fit the models of company matching and write `src/sightline/match/data/weights.json`.

    python -m tests.bench.matching_training [--shared FOLDER] [--check | --lists]

The model for given pairs is written as it is fitted here, and a test fits it again. That for lists stays as
it is unless `--lists` is given: docs/decisions/0046 says where it came from and why it stays.

The model for lists is fitted on pairs of databases (`matching_databases`) made of the recorded public
lists, if they are there, and of invented companies, and on the lists of WRITTEN; that for given pairs
on invented organizations in many scripts (`matching_world`), near names of the lists
(`matching_lists`) and the labelled pairs of LABELLED. Both are generalized
additive models: cyclic boosting of step functions, each kept from contradicting its feature's
meaning. `--check` leaves one source out at a
time. Identifiers, domains and addresses are too rare in the lists: their effects are set by hand.
"""

import argparse
import csv
import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sightline.domain.names import name_key
from sightline.domain.places import split_place
from sightline.match import names
from sightline.match.features import FEATURES
from sightline.match.index import Index
from sightline.match.records import Candidate
from sightline.match.scoring import features_of_pairs
from sightline.match.vocabulary import vocabulary
from tests.bench import matching_databases, matching_lists, matching_world

ROOT = Path(__file__).resolve().parents[2]
WEIGHTS = ROOT / "src/sightline/match/data/weights.json"
SHARES = {
    "invented": 1.8, "employers": 0.3, "boards": 0.5, "tickers": 0.7,
    "labelled": 5.25, "fewer_words": 1.75,
}  # fmt: skip
FEWER_WORDS = 0.4
"""The share of the tables' words that the labelled pairs are read without a second time. The tables hold
the words of these very pairs; of those of a new one they lack some."""
FEWER_WORDS_SEEDS = 6
"""With one draw alone, the share of fresh pairs read right moves by 0.02 from draw to draw."""
SET_BY_HAND = {
    # Of invented companies the areas are drawn by lot, so they teach nothing about real seats.
    "city_around": 1.0,
    # Nearly equal cities are one city in two spellings as often as two; of drawn ones they are two.
    "city_near": -0.7,
    "address_same": 1.5, "address_differs": -0.3, "domain_same": 5.0, "domain_differs": -0.7,
    # Numbers are few in the lists, and school 5 is never school 7.
    "number_differs": -4.0,
    # "AG" and "GmbH" of one name are two companies, but lists state a form too rarely to teach it.
    "legal_form_differs": -7.0,
    "ticker_same": 3.0, "ticker_differs": -1.5, "lei_same": 9.0, "lei_differs": -5.0,
}  # fmt: skip
SET_BY_HAND_FOR_PAIRS = {
    # The labelled pairs hold no company with two countries, yet lists do: seat here, register there.
    "country_differs": -2.5, "nameless_elsewhere": -4.0,
}  # fmt: skip
AT_MOST = {
    # In the lists of the fit few strangers share a city; in a register of one city most do.
    "city_same_names_weak": 2.6,
}
MARGIN = 1.0
"""Log-odds: a candidate that is not three times as likely as the next is not distinguished from it."""
SPEAKS_AGAINST = (
    "replaced", "added", "differs", "overlap_low", "near_words", "is_other", "one_short", "city_near",
    "nameless",
)  # fmt: skip
FREE = {
    "other_script",
    "near_words_other_script",
    "number_added",
    "place_unknown",
    "lead",
    "name_at_place",
}
ONLY_LISTS = ("written_same", "city_around", "name_at_place", "claimed_nearer")
"""Features that the model for given pairs, mostly of two scripts, does without: it read 0.8 and 1.0 of a
hundred fewer labelled and fresh pairs right with them."""
BINS = 24
PAIRS_BINS = 32
"""Of 16, 24, 32, 48 and 64 the one that reads as many of every set right as the model before it."""
ROUNDS = 250
RATE = 0.15
SHRINK = 20.0
SEEDS = 6
LISTS_THRESHOLD = 0.5
"""The mean F1 of all lists is flat from 0.4 to 0.5, odds being those of the two lists at hand."""
WRITTEN = (
    "company_lists.csv", "company_lists_more.csv", "company_lists_exchange.csv",
    "company_lists_banks.csv",
)  # fmt: skip
LABELLED = (
    "organization_pairs.csv", "organization_pairs_spelled.csv", "organization_pairs_registers.csv",
)  # fmt: skip
WRITTEN_SHARE = 5
RECORDED_SHARE = 10
"""Rows of lists that people wrote and of pairs of recorded lists are few, and weigh this much more."""

Matrix = npt.NDArray[np.float64]
Data = tuple[Matrix, Matrix]


@dataclass(frozen=True)
class Fitted:
    """Edges and effects by feature, and the bias."""

    bias: float
    edges: list[Matrix]
    effects: list[Matrix]

    def log_odds(self, features: Matrix) -> Matrix:
        """The log-odds of rows of features."""
        total: Matrix = np.full(len(features), self.bias)
        for column, (edges, effects) in enumerate(zip(self.edges, self.effects, strict=True)):
            total += effects[np.searchsorted(edges, features[:, column], side="right")]
        return total


def labelled(name: str = "organization_pairs.csv") -> list[matching_lists.Pair]:
    """The labelled pairs of the evaluation."""
    with (ROOT / "tests/eval" / name).open(encoding="utf-8") as file:
        return [
            (
                Candidate("", row["left_name"], row["left_country"] or None),
                Candidate("", row["right_name"], row["right_country"] or None),
                row["same"] == "1",
            )
            for row in csv.DictReader(file)
        ]


def written_lists(name: str, seed: int) -> matching_databases.Databases:
    """Companies of the world as two hands wrote them; half of the left rows' partners are removed."""
    random_ = random.Random(seed)
    left, right, truth = [], [], {}
    with (ROOT / "tests/eval" / name).open(encoding="utf-8") as file:
        for number, row in enumerate(csv.DictReader(file)):
            one, other = f"L{number}", f"R{number}"
            if row["left_name"]:
                left.append(Candidate(one, row["left_name"], row["left_country"], row["left_city"]))
                if random_.random() < 0.5:
                    continue
                truth[one] = other
            right.append(
                Candidate(other, row["right_name"], row["right_country"], row["right_city"])
            )
    return left, right, truth


def pair_sources(shared: Path) -> dict[str, list[matching_lists.Pair]]:
    """Given pairs by source."""
    reported = [pair for name in LABELLED for pair in labelled(name)]
    found = {"invented": matching_world.pairs(14_000), "labelled": reported + _untold(reported)}
    if shared.is_dir():
        for name, records in matching_lists.tables(shared).items():
            keep = 0.0 if name == "tickers" else 0.7
            found[name] = matching_lists.pairs(records, 3000, keep_places=keep)
    return found


def _untold(pairs: list[matching_lists.Pair]) -> list[matching_lists.Pair]:
    """The same pairs with no country given."""
    return [
        (replace(left, country=None), replace(right, country=None), same)
        for left, right, same in pairs
    ]


def companies(shared: Path) -> dict[str, list[matching_databases.Company]]:
    """Distinct companies by source: name, country, city."""
    found: dict[str, list[matching_databases.Company]] = {"invented": _invented()}
    if not shared.is_dir():
        return found
    for name, records in matching_lists.tables(shared).items():
        found[name] = _distinct(
            (_cased(one.name), one.country or "", one.city or "") for one in records
        )
    found["startups"] = _distinct(_startups(shared / "lists/yc/batches"))
    found["large"] = _distinct(_large(shared / "lists"))
    return found


def _invented() -> list[matching_databases.Company]:
    random_ = random.Random(9)
    made = []
    for _ in range(4000):
        one = matching_world.invent(random_)
        own = one.language in {"en", "de", "es", "fr"}
        language = one.language if own else "en"
        core = one.core.title() if own else matching_world.latin(one.core, random_)
        kinds = [matching_world.KINDS[kind][language] for kind in one.kinds]
        made.append(
            (" ".join([core, *kinds]), matching_world.COUNTRIES[one.language], one.city[1 - own])
        )
    return _distinct(made)


def _startups(folder: Path) -> Iterable[matching_databases.Company]:
    for path in sorted(folder.glob("*.json")):
        for row in json.loads(path.read_text(encoding="utf-8")):
            where = split_place((row.get("all_locations") or "").split(";")[0])
            yield row["name"], where.country_code or "", where.city or ""


def _large(folder: Path) -> Iterable[matching_databases.Company]:
    files = [*folder.glob("sp500*.csv"), *folder.glob("*/*.csv")]
    for path in sorted(path for path in files if path.parent.name != "h1b"):
        with path.open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                name = row.get("Security") or row.get("company")
                if name:
                    yield name, "US", (row.get("Headquarters Location") or "").split(",")[0]


def _cased(name: str) -> str:
    return name.title() if name.isupper() else name


def _distinct(rows: Iterable[matching_databases.Company]) -> list[matching_databases.Company]:
    found: dict[str, matching_databases.Company] = {}
    for row in rows:
        key = name_key(row[0])
        if key:
            found.setdefault(key, row)
    return list(found.values())


def list_data(made: matching_databases.Databases) -> Data:
    """Features and answers of all candidates of two lists."""
    left, right, answers = made
    left_at, right_at, features = Index(right).compare_many(left)
    place = {record.id: row for row, record in enumerate(right)}
    truth = np.array([place.get(answers.get(record.id, ""), -1) for record in left])
    return features.astype(float), (truth[left_at] == right_at).astype(float)


@contextmanager
def fewer_words(share: float, seed: int) -> Iterator[None]:
    """The product's tables without a share of their words: names hold words that no table has.

    Concepts keep their own name, so that what is lost is a translation.
    """
    tables, random_ = vocabulary(), random.Random(seed)
    kept = []
    for table in (
        tables.concepts, tables.stems, tables.native, tables.native_stems, tables.inside,
        tables.inside_first,
    ):  # fmt: skip
        kept.append((table, dict(table)))
        for word, concept in list(table.items()):
            if word != concept.name and random_.random() < share:
                del table[word]
    _forget()
    try:
        yield
    finally:
        for table, whole in kept:
            table.clear()
            table.update(whole)
        _forget()


def _forget() -> None:
    names.read_name.cache_clear()
    names._lone.cache_clear()
    vocabulary().found.clear()
    vocabulary().compounds.clear()


def pair_data(pairs: Sequence[matching_lists.Pair]) -> Data:
    """Features and answers of given pairs."""
    features = features_of_pairs([(left, right) for left, right, _ in pairs]).astype(float)
    return features, np.array([float(same) for *_, same in pairs])


def balanced(data: dict[str, Data]) -> Matrix:
    """Weights of given pairs: each source by its share, each answer by half."""
    parts = []
    for name, (_, answer) in data.items():
        half = np.where(answer == 1, 0.5 / answer.mean(), 0.5 / (1 - answer.mean()))
        parts.append(half / len(answer) * 6000 * SHARES[name])
    return np.concatenate(parts)


def signs() -> list[int]:
    """By feature: 1 and -1 where more can only speak for and against, else 0."""
    return [
        0 if name in FREE else -1 if any(part in name for part in SPEAKS_AGAINST) else 1
        for name in FEATURES
    ]


def fit(
    features: Matrix,
    answer: Matrix,
    weight: Matrix,
    by_hand: Mapping[str, float] = SET_BY_HAND,
    *,
    most_bins: int = BINS,
) -> Fitted:
    """Cyclic boosting: each feature in turn moves its steps a little towards what is left over."""
    edges, bins = [], []
    for number, column in enumerate(features.T):
        some = np.unique(np.quantile(column, np.linspace(0, 1, 400), method="nearest"))
        middles = (some[1:] + some[:-1]) / 2
        if len(middles) >= most_bins and number != FEATURES.index("name_at_place"):
            middles = middles[np.linspace(0, len(middles) - 1, most_bins).astype(int)]
        # Stored as float32, so compared as float32.
        edges.append(np.unique(middles.astype(np.float32)).astype(float))
        bins.append(np.searchsorted(edges[-1], column, side="right"))
    share = float((weight * answer).sum() / weight.sum())
    bias = float(np.log(share / (1 - share)))
    effects = [np.zeros(len(edge) + 1) for edge in edges]
    odds = np.full(len(answer), bias)
    hand = {FEATURES.index(name) for name in by_hand}
    direction = signs()
    for _ in range(ROUNDS):
        for column, place in enumerate(bins):
            if column in hand or not len(edges[column]):
                continue
            chance = 1 / (1 + np.exp(-odds))
            size = len(effects[column])
            slope = np.bincount(place, weight * (answer - chance), size)
            curve = np.bincount(place, weight * chance * (1 - chance), size)
            new = effects[column] + RATE * slope / (curve + SHRINK)
            if direction[column]:
                count = np.bincount(place, weight, size)
                new = monotone(new, count + 1e-3, direction[column])
            odds += (new - effects[column])[place]
            effects[column] = new
        chance = 1 / (1 + np.exp(-odds))
        move = float((weight * (answer - chance)).sum() / (weight * chance * (1 - chance)).sum())
        bias += move
        odds += move
    # What the feature's value 0 adds goes into the bias: an absent feature then adds nothing.
    for column, edge in enumerate(edges):
        zero = effects[column][np.searchsorted(edge, 0.0, side="right")]
        bias += zero
        effects[column] = effects[column] - zero
    for name, value in by_hand.items():
        column = FEATURES.index(name)
        edges[column], effects[column] = np.array([0.5]), np.array([0.0, value])
    for name, most in AT_MOST.items():
        effects[FEATURES.index(name)] = effects[FEATURES.index(name)].clip(max=most)
    return Fitted(bias, edges, effects)


def monotone(values: Matrix, counts: Matrix, direction: int) -> Matrix:
    """The nearest values that never fall (direction 1) or never rise (-1): pooled neighbours."""
    pools: list[list[float]] = []
    for value, count in zip((values * direction).tolist(), counts.tolist(), strict=True):
        pools.append([value, count, 1])
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            last, before = pools.pop(), pools.pop()
            total = last[1] + before[1]
            pools.append(
                [(last[0] * last[1] + before[0] * before[1]) / total, total, last[2] + before[2]]
            )
    flat = [value for value, _, size in pools for _ in range(int(size))]
    return np.array(flat) * direction


def written(found: Fitted, threshold: float) -> dict[str, object]:
    """The form of `weights.json`."""
    table: dict[str, object] = {"bias": round(found.bias, 3), "threshold": threshold}
    for name, edges, effects in zip(FEATURES, found.edges, found.effects, strict=True):
        if len(edges) and np.abs(effects).max() >= 0.01:
            table[name] = [
                [float(f"{edge:.5g}") for edge in edges.tolist()],
                [round(effect, 3) for effect in effects.tolist()],
            ]
    return table


def fit_all(data: dict[str, list[Data]], *, without: str = "") -> Fitted:
    """A fit on lists, each row counting once."""
    used = [each for name, parts in data.items() if name != without for each in parts]
    features = np.vstack([each for each, _ in used])
    answer = np.concatenate([each for _, each in used])
    return fit(features, answer, np.ones(len(answer)))


def fit_pairs(data: dict[str, Data]) -> Fitted:
    """A fit on given pairs."""
    features = np.vstack([each for each, _ in data.values()])
    features[:, [FEATURES.index(name) for name in ONLY_LISTS]] = 0
    answer = np.concatenate([each for _, each in data.values()])
    by_hand = SET_BY_HAND | SET_BY_HAND_FOR_PAIRS
    return fit(features, answer, balanced(data), by_hand, most_bins=PAIRS_BINS)


def accuracy(found: Fitted, data: Data) -> float:
    """Share of right answers at one half."""
    return float(((found.log_odds(data[0]) > 0) == (data[1] > 0.5)).mean())


def in_parts(pairs: dict[str, Data], parts: int = 10) -> float:
    """Share of right answers for labelled pairs when their part is left out of the fit."""
    features, answer = pairs["labelled"]
    # A pair with and without its country is in one part, and so is it read with fewer words.
    part = np.tile(np.random.default_rng(1).integers(0, parts, len(answer) // 2), 2)
    right = 0.0
    for number in range(parts):
        kept = part != number
        some = {
            "labelled": _rows(pairs["labelled"], kept),
            "fewer_words": _rows(pairs["fewer_words"], np.tile(kept, FEWER_WORDS_SEEDS)),
        }
        found = fit_pairs({**pairs, **some})
        right += accuracy(found, (features[~kept], answer[~kept])) * float((~kept).sum())
    return right / len(answer)


def _rows(data: Data, kept: npt.NDArray[np.bool_]) -> Data:
    return data[0][kept], data[1][kept]


def pair_sources_data(shared: Path) -> dict[str, Data]:
    """Features and answers of given pairs by source; the labelled ones with fewer words as well."""
    sources = pair_sources(shared)
    found = {name: pair_data(each) for name, each in sources.items()}
    fewer = []
    for seed in range(FEWER_WORDS_SEEDS):
        with fewer_words(FEWER_WORDS, seed=seed):
            fewer.append(pair_data(sources["labelled"]))
    features, answers = zip(*fewer, strict=True)
    return {**found, "fewer_words": (np.concatenate(features), np.concatenate(answers))}


def main() -> None:
    """Fit, and write or check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--check", action="store_true", help="Leave one source out at a time.")
    parser.add_argument("--lists", action="store_true", help="Write the model for lists as well.")
    options = parser.parse_args()
    pairs = pair_sources_data(options.shared)
    lists = list_sources_data(options.shared) if options.check or options.lists else {}
    if options.check:
        _check(lists, pairs)
        return
    table = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    if options.lists:
        table |= {"margin": MARGIN, "lists": written(fit_all(lists), LISTS_THRESHOLD)}
    table["pairs"] = written(fit_pairs(pairs), 0.5)
    lines = json.dumps(table, separators=(",", ":")).replace('"],', '"],\n').replace("]],", "]],\n")
    WEIGHTS.write_text(lines + "\n", encoding="utf-8")


def list_sources_data(shared: Path) -> dict[str, list[Data]]:
    """Features and answers of the candidates of pairs of lists, by source."""
    lists = {
        name: [
            list_data(matching_databases.databases(rows, seed=seed, size=1000))
            for seed in range(SEEDS)
        ]
        for name, rows in companies(shared).items()
    }
    lists["written"] = [
        list_data(written_lists(name, seed)) for name in WRITTEN for seed in range(4)
    ] * WRITTEN_SHARE
    if shared.is_dir():
        for name, records in matching_lists.tables(shared).items():
            made = (matching_lists.two_databases(records, seed=seed) for seed in range(100, 104))
            lists[name].extend(list(map(list_data, made)) * RECORDED_SHARE)
    return lists


def _check(lists: dict[str, list[Data]], pairs: dict[str, Data]) -> None:
    """Print how much is right of what a fit has not seen."""
    for name in lists:
        without = fit_all(lists, without=name)
        right = np.mean([accuracy(without, each) for each in lists[name]])
        print(f"lists of {name}: {right:.4f} of the candidates right, fitted on the others")
    for name in pairs:
        same = {"labelled", "fewer_words"}
        left_out = same if name in same else {name}
        without = fit_pairs({one: each for one, each in pairs.items() if one not in left_out})
        print(f"pairs of {name}: {accuracy(without, pairs[name]):.3f} right, fitted on the others")
    print(f"labelled pairs in ten parts: {in_parts(pairs):.3f} right, fitted on the other nine")


if __name__ == "__main__":
    main()
