"""The words of a title that name a job, as opposed to the employer, studies or former jobs."""

import re
from functools import cache

from sightline.domain.tables import toml_table, word_set
from sightline.domain.title_text import Word
from sightline.domain.title_words import levels, parts, taken_apart, terms

_SETS = "title_sets.toml"

_AFTER_FORMER = frozenset((",", "/", "(", "&"))
_JOB_NOUN = 2.5  # the weight of such nouns in title_terms.toml
_SHORT_ENDING = re.compile(r"(?<=[^\W\d_]{3})(?:ltg|ltrin|ltr|beauftr|sachb)$")
_EMPLOYER_MARKS = frozenset(("at", "@", "bei", "beim", "chez"))
_BEFORE_A_NAME = frozenset(", / ( ) : of de der des fur & la in".split())


def own_words(segment: list[Word]) -> list[Word]:
    """The words of a segment that name a job: without employer, wishes and studies. [] for none."""
    segment = _present(_without_wish(segment))
    if any(word.plain in word_set(_SETS, "retired") for word in segment):
        return []
    for at, word in enumerate(segment):
        if word.plain in _EMPLOYER_MARKS and at:
            # "Student @ College, intern @ Firm"
            return own_words(segment[:at]) or _next_job(segment[at + 1 :])
    segment = _without_company(segment)
    return [] if _names_nothing(segment) else segment


def _without_wish(segment: list[Word]) -> list[Word]:
    """A segment up to what is looked for: "looking for opportunities"."""
    plain = " ".join(word.plain for word in segment)
    sought = _sought().search(plain)
    return segment if sought is None else segment[: len(plain[: sought.start()].split())]


@cache
def _sought() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(toml_table(_SETS)['sought'])})")


def _names_nothing(segment: list[Word]) -> bool:
    """Whether nothing but degrees, studies and words of no job are left, and no level."""
    silent = word_set(_SETS, "small_words") | _EMPLOYER_MARKS
    words = {
        w.plain
        for w in segment
        if len(w.plain) > 1 and not w.plain.isdigit() and w.plain not in silent
    }
    if not words:
        return True
    none = word_set(_SETS, "no_job")
    empty = not words.isdisjoint(none) and words <= none | word_set(_SETS, "credentials")
    return (empty or not words.isdisjoint(word_set(_SETS, "students"))) and not _has_level(segment)


def _present(segment: list[Word]) -> list[Word]:
    """What a person is today who once was something else."""
    past = word_set(_SETS, "former") | word_set(_SETS, "retired")
    return _today(segment) if segment and segment[0].plain in past else segment


def _today(segment: list[Word]) -> list[Word]:
    """What follows where a person was something: after a "now", or a job behind a comma."""
    for at, word in enumerate(segment):
        if word.plain in word_set(_SETS, "nowadays"):
            return segment[at + 1 :]
    for at, word in enumerate(segment):
        if word.plain in _AFTER_FORMER:
            rest = segment[at + 1 :]
            return rest if _has_level(rest) or _names_job(rest) else []
    return []


def _next_job(segment: list[Word]) -> list[Word]:
    """What stands behind the comma after an employer, if it names a job."""
    for at, word in enumerate(segment):
        if word.plain == ",":
            rest = segment[at + 1 :]
            return own_words(rest) if _names_job(rest) or _has_level(rest) else []
    return []


def _without_company(segment: list[Word]) -> list[Word]:
    """A segment without company names that show their legal form: up to three words before it."""
    for at in range(len(segment) - 1, 0, -1):
        if segment[at].plain not in word_set(_SETS, "legal_forms"):
            continue
        start = at
        while start > 0 and at - start < 3 and not _stops_name(segment[start - 1]):
            start -= 1
        segment = [*segment[:start], *segment[at + 1 :]]
        break
    return segment


def _stops_name(word: Word) -> bool:
    known = parts(word.plain, levels())
    return word.plain in _BEFORE_A_NAME or any(part in levels().words for part in known)


def _has_level(segment: list[Word]) -> bool:
    tokens = taken_apart(map(looked_up, segment), levels())
    return any(term.level for _, _, term in levels().matches(tokens))


def _names_job(segment: list[Word]) -> bool:
    """Whether a noun stands there that names its job by itself."""
    tokens = taken_apart(map(looked_up, segment), terms())
    return bool(segment) and (
        segment[0].plain in word_set(_SETS, "side_roles")
        or any(term.weight >= _JOB_NOUN for _, _, term in terms().matches(tokens))
    )


def looked_up(word: Word) -> str:
    """A word as the tables have it: "asst" is an assistant, "Teamltg" a "teamleitung"."""
    tables = toml_table(_SETS)
    known: str | None = tables["looked_up"].get(word.plain)
    if known is None:
        return _SHORT_ENDING.sub(lambda m: tables["short_endings"][m.group()], word.plain)
    return known
