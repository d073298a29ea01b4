"""Company matching beside other tools, in one run: quality and speed.

    python -m tests.bench.matching [--shared FOLDER] [--million]

Labelled pairs of names in many scripts: share of right answers at the shipped threshold, and of the
other tools at the threshold that is best for them on these very pairs. Two lists with half of the
partners removed: F1 in the same way. `--million` measures an index of a million invented names.
Times are CPU seconds. RapidFuzz is always there; scikit-learn and nomenklatura are compared when
they are installed.
"""

import argparse
import importlib.util
import itertools
import random
import resource
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from rapidfuzz import fuzz, process

from sightline.domain.countries import country_from_text
from sightline.domain.names import fold, name_key
from sightline.match.index import Index
from sightline.match.lists import match_lists
from sightline.match.model import shipped_weights
from sightline.match.records import Candidate
from sightline.match.scoring import score_pairs
from tests.bench import matching_databases, matching_lists, matching_training

ROOT = Path(__file__).resolve().parents[2]
Truth = dict[str, str]
_IDS = itertools.count()


def accuracy(scores: Sequence[float], answers: Sequence[bool], limit: float) -> float:
    """Share of right answers at a threshold."""
    return float(((np.array(scores) >= limit) == np.array(answers)).mean())


def best_accuracy(scores: Sequence[float], answers: Sequence[bool]) -> float:
    """Share of right answers at the threshold that suits these pairs best."""
    values, truth = np.array(scores), np.array(answers)
    return max(float(((values >= limit) == truth).mean()) for limit in np.unique(values))


def f1(found: dict[str, str], truth: Truth) -> float:
    """F1 of left id -> right id."""
    right = sum(truth.get(left) == other for left, other in found.items())
    return 2 * right / max(len(found) + len(truth), 1)


def best_f1(found: dict[str, tuple[str, float]], truth: Truth) -> float:
    """F1 at the threshold that suits these lists best."""
    limits = np.quantile([score for _, score in found.values()], np.linspace(0, 1, 41))
    return max(
        f1({left: other for left, (other, score) in found.items() if score >= limit}, truth)
        for limit in limits
    )


def compare_pairs(name: str) -> None:
    """Labelled pairs."""
    labelled = matching_training.labelled(f"organization_pairs{name}.csv")
    given, answers = [pair[:2] for pair in labelled], [pair[2] for pair in labelled]
    started = time.process_time()
    ours = [one.score for one in score_pairs(given)]
    spent = (time.process_time() - started) / len(given) * 1e3
    at = accuracy(ours, answers, shipped_weights().pairs_threshold)
    print(f"pairs{name}: Sightline {at:.3f} at the shipped threshold, {spent:.3f} ms a pair")
    rapid = [fuzz.WRatio(fold(left.name), fold(right.name)) for left, right in given]
    print(
        f"pairs{name}: RapidFuzz WRatio {best_accuracy(rapid, answers):.3f} at its best threshold"
    )
    if importlib.util.find_spec("nomenklatura"):
        scores, seconds = nomenklatura_scores(given)
        best, half = best_accuracy(scores, answers), accuracy(scores, answers, 0.7)
        print(
            f"pairs{name}: nomenklatura logic-v2 {best:.3f} at its best threshold, {half:.3f} at "
            f"0.7, {seconds * 1e3:.3f} ms a pair"
        )


def nomenklatura_scores(pairs: Sequence[tuple[Candidate, Candidate]]) -> tuple[list[float], float]:
    """Scores of logic-v2 and seconds a pair."""
    from followthemoney import EntityProxy, model
    from nomenklatura.matching import get_algorithm

    algorithm = get_algorithm("logic-v2")
    config = algorithm.default_config()

    def entity(record: Candidate) -> EntityProxy:
        properties = {"name": [record.name], "country": [record.country or ""]}
        # It remembers names by the entity's id: an id used twice would be scored as its first use.
        data = {"id": f"{next(_IDS)}", "schema": "Organization", "properties": properties}
        return model.get_proxy(data)

    started = time.process_time()
    scores = [algorithm.compare(entity(left), entity(right), config).score for left, right in pairs]
    return scores, (time.process_time() - started) / len(pairs)


def compare_lists(name: str, lists: matching_databases.Databases) -> None:
    """Two lists, half of the left rows' partners removed from the right one."""
    left, right, truth = lists
    started = time.process_time()
    rows = match_lists(left, right)
    spent = (time.process_time() - started) / len(left) * 1e3
    value = f1({row.left_id: row.right_id for row in rows if row.right_id}, truth)
    print(
        f"{name}: {len(left)} against {len(right)}, {len(truth)} partners; "
        f"Sightline F1 {value:.3f}, {spent:.3f} ms a query"
    )
    tools: dict[str, Callable[[], dict[str, tuple[str, float]]]] = {
        "RapidFuzz WRatio": lambda: rapid(left, right)
    }
    if importlib.util.find_spec("sklearn"):
        tools["TF-IDF n-grams, country and city"] = lambda: grams(left, right)
    for tool, run in tools.items():
        started = time.process_time()
        found = run()
        spent = (time.process_time() - started) / len(left) * 1e3
        print(
            f"{name}: {tool} F1 {best_f1(found, truth):.3f} at its best threshold, {spent:.3f} ms a query"
        )


def rapid(left: Sequence[Candidate], right: Sequence[Candidate]) -> dict[str, tuple[str, float]]:
    """The nearest name by RapidFuzz."""
    names = [fold(one.name) for one in right]
    found = {}
    for one in left:
        best = process.extractOne(fold(one.name), names, scorer=fuzz.WRatio)
        found[one.id] = (right[best[2]].id, best[1])
    return found


def grams(left: Sequence[Candidate], right: Sequence[Candidate]) -> dict[str, tuple[str, float]]:
    """The nearest by character n-grams of the name without legal form, with country and city."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    made = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4))
    known = made.fit_transform([name_key(one.name) for one in right])
    alike = (made.transform([name_key(one.name) for one in left]) @ known.T).toarray()
    for row, one in enumerate(left):
        country = np.array([_code(other) == _code(one) for other in right])
        city = np.array([fold(other.city or "") == fold(one.city or "") for other in right])
        alike[row] += 0.1 * country + 0.2 * city
    return {
        one.id: (right[int(at)].id, float(alike[row, at]))
        for row, (one, at) in enumerate(zip(left, alike.argmax(axis=1), strict=True))
    }


def _code(record: Candidate) -> str:
    found = country_from_text(record.country or "")
    return found.alpha2 if found else ""


def million() -> None:
    """An index of a million invented names: seconds, memory, milliseconds a query."""
    random_ = random.Random(1)
    syllables = [a + b + c for a in "bdfgklmnprstvz" for b in "aeiou" for c in ("", "n", "r", "s")]
    kinds = "Bank Trading Systems Energy Foods Group Logistics Media Pharma Steel".split()

    def invented(number: int) -> Candidate:
        core = "".join(random_.choices(syllables, k=random_.randint(2, 4))).title()
        name = f"{core} {random_.choice(kinds)} {random_.choice(('Inc', 'GmbH', 'Ltd'))}"
        return Candidate(str(number), name, random_.choice(("US", "DE", "GB")))

    started = time.process_time()
    records = [invented(number) for number in range(1_000_000)]
    made = time.process_time()
    index = Index(records)
    built = time.process_time()
    asked = random_.sample(records, 500)
    hits = sum(
        found[0].id == one.id or found[0].score > 0.8
        for one, found in zip(asked, index.query_many(asked), strict=True)
    )
    spent = (time.process_time() - built) / len(asked) * 1e3
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"million: names made in {made - started:.0f} s, index in {built - made:.0f} s, peak {peak:.0f} MB"
    )
    print(f"million: {spent:.2f} ms a query, {hits} of {len(asked)} found again")


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--million", action="store_true")
    options = parser.parse_args()
    if options.million:
        million()
        return
    for name in ("", "_spelled", "_registers", "_unseen", "_fresh"):
        compare_pairs(name)
    if options.shared.is_dir():
        for name, records in matching_lists.tables(options.shared).items():
            compare_lists(name, matching_lists.two_databases(records))
    unfitted = ("company_lists_fresh.csv", "company_lists_startups.csv")
    for name in (*matching_training.WRITTEN, *unfitted):
        compare_lists(name, matching_training.written_lists(name, 0))


if __name__ == "__main__":
    main()
