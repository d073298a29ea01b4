"""Pseudo-relevance feedback: the best passages of a first search lend their telling words.

A relevance model in the manner of RM3. It trusts few passages, wants a word in at least two of them,
and never takes a word that is common in the whole source.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

from sightline.search.postings import Postings, frequency_ratio

PASSAGES = 20
TERMS = 40
SHARPNESS = 6.0  # how fast trust falls with the first search's score
COMMON = 0.2  # share of documents above which a word tells nothing
_PROBED = 60  # candidates whose document frequency is looked up


def candidate_terms(
    contents: Sequence[Mapping[str, float]], scores: Sequence[float]
) -> dict[str, float]:
    """Weights of the words of the best passages, heaviest first, before their rarity is known.

    `contents` are terms with counts, best passage first; `scores` are those of the first search.
    """
    if not scores or scores[0] <= 0:
        return {}
    trust = [2.718281828 ** (SHARPNESS * (score / scores[0] - 1.0)) for score in scores]
    total = sum(trust)
    passages = Counter(chain.from_iterable(contents))
    enough = 2 if len(contents) > 2 else 1
    kept = {term: 0.0 for term, times in passages.items() if times >= enough}
    for words, share in zip(contents, trust, strict=True):
        for term in kept.keys() & words.keys():
            kept[term] += share / total * words[term] / (words[term] + 1.2)
    return dict(sorted(kept.items(), key=lambda item: (-item[1], item[0])))


def expansion(
    candidates: Mapping[str, float], found: Mapping[str, Postings], documents: int
) -> dict[str, float]:
    """The words worth a second search, with weights that BM25 multiplies by rarity once more."""
    worth = {}
    for term, weight in candidates.items():
        if term in found and len(found[term]) <= max(2.0, COMMON * documents):
            worth[term] = weight * frequency_ratio(len(found[term]), documents)
    best = sorted(worth, key=lambda term: (-worth[term], term))[:TERMS]
    return {term: candidates[term] for term in best}


def probed(candidates: Mapping[str, float]) -> list[str]:
    """The candidates whose postings a stored source should be asked for: the heaviest."""
    return list(candidates)[:_PROBED]
