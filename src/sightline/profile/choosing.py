"""Statements of whole sentences: their names, and those that repeat others removed."""

from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from sightline.profile.contract import Statement
from sightline.profile.evidence import Evidence, Quote
from sightline.profile.sentences import Sentence, with_next
from sightline.reading.periods import latest_day
from sightline.reading.prose import WORD
from sightline.reading.repeats import alike, shingles
from sightline.reading.tokens import stems

T = TypeVar("T")

_LONGEST_HEADING: Final = 90  # characters
_HEADING_WORD: Final = 4  # letters; shorter ones are nearly all function words


def without_repeats(items: Iterable[T], text_of: Callable[[T], str], *, most: int) -> list[T]:
    """The first `most` that do not repeat an earlier one."""
    chosen: list[T] = []
    seen: list[frozenset[tuple[str, str]]] = []
    for each in items:
        if len(chosen) == most:
            break
        own = shingles(text_of(each))
        if not any(alike(own, other) for other in seen):
            seen.append(own)
            chosen.append(each)
    return chosen


def statement_of(sentence: Sentence, evidence: Evidence, **more: object) -> Statement:
    """A sentence and the one behind it as a statement, under the heading that names it or else its own words.
    One of long ago that names no time says when it was said."""
    said, text = sentence.document.said_at, with_next(sentence)
    quotes: tuple[Quote, ...] = (sentence.document.quote(text),)
    is_dated = latest_day(sentence.text) is not None
    heading = sentence.heading or ""
    if not is_dated and latest_day(heading) is not None:  # it dates the sentence
        more = {**more, "name": heading}
        quotes += (sentence.document.quote(heading),)
    past = evidence.is_history(sentence.document) and not (is_dated or "name" in more)
    return {
        "name": name_of(sentence),
        **more,
        "as_of": said.date().isoformat(),
        "description": f"As of {said:%B %Y}: {text}" if past else text,
        "sources": quotes,
    }


def chosen_of(
    evidence: Evidence, *sections: str, fits: Callable[[Sentence], bool] | None = None
) -> list[Statement]:
    """The sentences of sections as statements, best first; those that fit."""
    found = [each.sentence for section in sections for each in evidence.chosen.get(section, ())]
    return [statement_of(each, evidence) for each in found if fits is None or fits(each)]


def name_of(sentence: Sentence) -> str:
    """The heading above, where most of its words are the sentence's; else the whole sentence."""
    heading = (sentence.heading or "").strip(" .:")
    words = set(stems(" ".join(w for w in WORD.findall(heading) if len(w) >= _HEADING_WORD)))
    said = set(stems(sentence.text))
    fits = len(words) > 1 and len(words & said) * 2 > len(words)
    is_shown = fits and len(heading) <= _LONGEST_HEADING and not heading.isupper()
    return heading if is_shown else sentence.text
