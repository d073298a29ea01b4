"""Letter groups: a second, smaller index over pieces of stems, so that a word still meets its misspelt,
compounded or oddly inflected forms."""

from collections.abc import Iterable

from sightline.search.analysis import Analyser
from sightline.search.index import Index
from sightline.search.lexical import Matcher, Parameters
from sightline.search.postings import Floats
from sightline.search.query import Query

SIZE = 4  # letters; for English, groups of four find about as well alone as stems do


def letter_groups(text: str, analyser: Analyser) -> list[str]:
    """Overlapping groups of the stems of a text, word ends marked by "_"."""
    groups = []
    for term in analyser.plain(text):
        marked = f"_{term}_"
        groups += [marked[i : i + SIZE] for i in range(max(1, len(marked) - SIZE + 1))]
    return groups


class LetterGroups:
    """BM25 over letter groups of titled texts."""

    def __init__(self, texts: Iterable[tuple[str, str]], analyser: Analyser) -> None:
        self._analyser = analyser
        self._index = Index.of_terms(
            letter_groups(f"{title} {body}", analyser) for title, body in texts
        )
        self._matcher = Matcher(self._index.lengths, Parameters(title_weight=1.0, body_norm=0.6))

    def score(self, query: Query) -> Floats:
        """One value for every document, 0 and up."""
        weights: dict[str, float] = {}
        for group in letter_groups(query.text, self._analyser):
            weights[group] = weights.get(group, 0.0) + 1.0
        return self._matcher.bm25(weights, self._index.postings(list(weights)))
