"""The part of a passage to show: the run of sentences that best matches the query, verbatim."""

from collections.abc import Mapping
from typing import Final

from sightline.reading.prose import has_sentence
from sightline.reading.sentences import sentences
from sightline.reading.terms import terms

MAX_CHARACTERS: Final = 320


def best_part(
    text: str,
    weights: Mapping[str, float],
    *,
    max_characters: int = MAX_CHARACTERS,
    with_headings: bool = True,
) -> str:
    """The run of whole sentences within the length that has the most weight of different terms, the shorter
    of equals; without any term the beginning. One sentence that is longer is cut at a space. Without
    headings, it neither begins nor ends with one, or with a row of a table, where the text has sentences."""
    parts = list(sentences(text)) or [(0, len(text))]
    ends = [with_headings or has_sentence(text[start:end]) for start, end in parts]
    if not any(ends):
        ends = [True] * len(parts)
    have = [weights.keys() & set(terms(text[start:end])) for start, end in parts]
    runs = [
        (sum(weights[term] for term in frozenset().union(*have[first : last + 1])), start, end)
        for first, (start, _) in enumerate(parts)
        for last, (_, end) in enumerate(parts[first:], first)
        if ends[first] and ends[last] and (last == first or end - start <= max_characters)
    ]
    worth, start, end = max(runs, key=lambda run: (run[0], run[1] - run[2]))
    if not worth:
        _, start, end = max(run for run in runs if run[1] == runs[0][1])
    return _cut(text[start:end], max_characters)


def _cut(text: str, most: int) -> str:
    """A text within the length, cut at a space if there is one."""
    if len(text) <= most:
        return text
    space = text.rfind(" ", 0, most)
    return text[: space if space > 0 else most]
