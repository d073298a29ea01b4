"""How much of a request a passage says, and whether that is an answer at all.

Most requests share ordinary words with many passages of any company: "blockchain loyalty program" meets
every passage on a program. Where nobody says the words that carry a request, no passage answers it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightline.search.meaning import expected_share, terms_vector
from sightline.search.postings import Floats, Lengths, Postings, frequency_ratio
from sightline.search.query import Query

ANSWERED = 0.36  # share of a request that the best passage says at least where there is an answer
_FEW = 6  # words of a request of which so much is asked
_UNSAID = 0.35  # cosine with what a passage leaves unsaid, from which it says it in other words


@dataclass(frozen=True, slots=True)
class Coverage:
    """`shares` are of the request's weight, by rarity, for each term that was said; `same` has for each the
    terms that count as it; `said` is the share that each document says: 0-1."""

    shares: Mapping[str, float]
    same: Mapping[str, frozenset[str]]
    said: Floats


def read_coverage(query: Query, found: Mapping[str, Postings], lengths: Lengths) -> Coverage:
    """A word that no document says is as rare as its use in ordinary writing lets expect: "went" missing
    tells little, a name missing tells most."""
    documents = len(lengths)
    words = 2.0 * float(lengths.body.mean()) if documents else 0.0  # about half count as length
    worth: dict[str, float] = {}
    same: dict[str, frozenset[str]] = {}
    said = np.zeros(documents, np.float32)
    for term, weight in query.terms.items():
        if term in query.stands_for:
            continue
        others = (other for other, meant in query.stands_for.items() if term in meant)
        same[term] = frozenset((term, *others))
        holding = [found[one].documents for one in same[term] if one in found]
        worth[term] = frequency_ratio(len(found[term]) if term in found else 0, documents)
        if not holding:
            expected = 1.0 - (1.0 - expected_share(term)) ** words
            worth[term] = min(worth[term], -float(np.log(max(expected, 1e-9))))
        worth[term] *= weight
        if holding:
            said[np.unique(np.concatenate(holding))] += worth[term]
    total = sum(worth.values()) or 1.0
    return Coverage({term: one / total for term, one in worth.items()}, same, said / total)


def answering(coverage: Coverage, allowed: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
    """Which documents say enough of the request: `ANSWERED` where the best of those allowed says little more,
    falling to nothing where it says twice as much; none where the best does not say so much. A request of
    many words is said in pieces, and less of it is enough."""
    said = coverage.said if allowed is None else np.where(allowed, coverage.said, 0.0)
    best = float(said.max(initial=0.0))
    enough = ANSWERED * min(1.0, (_FEW / max(1, len(coverage.shares))) ** 0.5)
    least = min(enough, 2 * (2 * enough - best))
    return np.asarray((said > 0) & (said >= least))


def says_otherwise(
    coverage: Coverage, contents: Sequence[Mapping[str, float]]
) -> NDArray[np.bool_]:
    """Which of these documents, each by its terms with counts, say in other words what they leave unsaid.
    A name of which no likeness is known cannot be said so."""
    found = []
    for terms in contents:
        unsaid = {
            term: share
            for term, share in coverage.shares.items()
            if not coverage.same[term] & terms.keys()
        }
        known = sum(share for term, share in unsaid.items() if expected_share(term))
        counted = {term: 1.0 + float(np.log(count)) for term, count in terms.items()}
        likeness = float(terms_vector(unsaid) @ terms_vector(counted))
        found.append(bool(unsaid) and known / sum(unsaid.values()) * likeness >= _UNSAID)
    return np.array(found, bool)
