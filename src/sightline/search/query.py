"""A request in words, read into weighted terms."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from sightline.search.analysis import Analyser
from sightline.search.synonyms import thesaurus
from sightline.search.vocabulary import BUSINESS_FRAME_WORDS, FRAME_WORDS

FRAME_WEIGHT = 0.5  # of a word that frames the question
EXTRA_WEIGHT = 0.5  # of a second reading: the closed form of a compound
SYNONYM_WEIGHT = 0.4  # of another phrase for the same thing, shared among its words
MAX_TERMS = 64  # a longer query is a pasted text; its first words say enough


@dataclass(frozen=True, slots=True)
class Query:
    """`terms` by weight, in the order of the text. `phrases` are pairs of neighbouring terms with the
    distance between them in the query (1: side by side). `stands_for` names, for a term that was not
    said, the terms it stands for."""

    text: str
    terms: dict[str, float]
    phrases: tuple[tuple[str, str, int], ...] = ()
    stands_for: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def read_query(text: str, analyser: Analyser, *, business: bool = False) -> Query:
    """Weights sum the occurrences of a term, each further one half as much as the one before. With
    `business`, a company is asked about: other words of business for the same things are asked for too,
    and words for what is new weigh less."""
    tokens = analyser.tokens(text)
    if any(not token.function for token in tokens):
        tokens = [token for token in tokens if not token.function]
    tokens = tokens[: 2 * MAX_TERMS]
    frames = _frames(analyser, business)
    plain = [token for token in tokens if not token.extra]
    framed_only = all(token.term in frames for token in plain)
    weights: dict[str, float] = {}
    seen: dict[str, int] = {}
    said: dict[str, tuple[str, ...]] = {}
    for at, token in enumerate(tokens):
        if token.extra:
            parts = (one for one in tokens[max(0, at - 3) : at] if one.position >= token.position)
            said.setdefault(token.term, tuple(one.term for one in parts if not one.extra))
        weight = EXTRA_WEIGHT if token.extra else 1.0
        if token.term in frames and not framed_only:
            weight *= FRAME_WEIGHT
        times = seen[token.term] = seen.get(token.term, 0) + 1
        weights[token.term] = weights.get(token.term, 0.0) + weight * 0.5 ** (times - 1)
    phrases: list[tuple[str, str, int]] = []
    for left, right in pairwise(plain):
        if left.term != right.term:
            phrases.append((left.term, right.term, right.position - left.position))
    readings = {
        term: parts for term, parts in said.items() if term not in {one.term for one in plain}
    }
    query = Query(
        text, dict(list(weights.items())[:MAX_TERMS]), tuple(phrases[:MAX_TERMS]), readings
    )
    return _with_synonyms(query, [token.term for token in plain], analyser) if business else query


@lru_cache(maxsize=8)
def _frames(analyser: Analyser, business: bool) -> frozenset[str]:
    words = FRAME_WORDS | BUSINESS_FRAME_WORDS if business else FRAME_WORDS
    return frozenset(analyser.term(word) for word in words)


def _with_synonyms(query: Query, said: list[str], analyser: Analyser) -> Query:
    table = thesaurus(analyser)
    terms = dict(query.terms)
    phrases = list(query.phrases)
    stands_for = dict(query.stands_for)
    for start in range(len(said)):
        for size in (4, 3, 2, 1):
            heard = tuple(said[start : start + size])
            for phrase in sorted(table.get(heard, ())):
                for term in phrase:
                    if term not in query.terms:
                        stands_for.setdefault(term, heard)
                        terms[term] = max(terms.get(term, 0.0), SYNONYM_WEIGHT / len(phrase))
                phrases += [(left, right, 1) for left, right in pairwise(phrase)]
    return Query(query.text, terms, tuple(dict.fromkeys(phrases)), stands_for)
