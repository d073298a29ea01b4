"""The vocabulary of job titles: its tables, and how a written word is matched to an entry.

German compounds are split (`Vertriebsleiterin` -> vertriebs, leiter), feminine and plural forms and
single typing errors are led back to the word that is known.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Literal, NamedTuple, get_args

from rapidfuzz import process
from rapidfuzz.distance import OSA

from sightline.domain.tables import toml_table, word_set

_SETS = "title_sets.toml"

# "Juniorberater" is a junior; a "Vorstandsassistent" is no member of the board.
_LEVELS_IN_FRONT = ("junior", "senior")
_LINKS = ("", "s", "es", "n", "en", "e", "er")
_SHORTEST_TYPO = 6
_SHORTEST_SUBSTITUTION = 8
_FEMININE = (
    ("innen", ""), ("in", ""), ("euse", "eur"), ("rice", "eur"), ("trice", "teur"), ("ere", "er"),
    ("a", "o"), ("ora", "or"), ("as", "o"), ("ne", "n"), ("s", ""), ("es", ""), ("e", ""), ("en", ""),
    ("r", ""), ("n", ""), ("er", "e"), ("ive", "if"), ("elle", "el"), ("x", ""), ("a", ""),
)  # fmt: skip


Seniority = Literal[
    "owner", "c_suite", "vp", "director", "head", "manager", "lead", "senior", "professional",
    "entry", "intern",
]  # fmt: skip
Department = Literal[
    "general_management", "engineering", "it", "data", "product", "design", "research",
    "project_management", "marketing", "sales", "business_development", "customer_success", "support",
    "consulting", "finance", "legal", "hr", "administration", "operations", "purchasing",
    "supply_chain", "production", "medical", "education", "other",
]  # fmt: skip
SENIORITIES: tuple[Seniority, ...] = get_args(Seniority)
"""The highest first."""
DEPARTMENTS: tuple[Department, ...] = get_args(Department)
_LEVELS: dict[str, Seniority] = {name: name for name in SENIORITIES}
_DEPARTMENTS: dict[str, Department] = {name: name for name in DEPARTMENTS}


class Term(NamedTuple):
    """What a word or phrase says: `weight` says how surely the department."""

    department: Department | None
    weight: float
    level: Seniority | None


Phrase = tuple[str, ...]
Found = tuple[int, int, Term]
"""What the words from the first up to the second say."""


@dataclass(frozen=True, eq=False)
class WordTable:
    """Phrases by their first word, longest first; and every word that occurs in one."""

    phrases: dict[Phrase, Term]
    by_first: dict[str, list[Phrase]]
    words: frozenset[str]
    heads_decide: bool  # only the last noun of a compound counts, but for phrases of both parts


def found_in(words: Iterable[str], table: WordTable) -> tuple[list[str], list[Found]]:
    """The words of the table that written words stand for, and the phrases among them from left to right,
    longest first."""
    tokens = [part for word in words for part in _parts(word, table)]
    found = []
    at = 0
    while at < len(tokens):
        for phrase in table.by_first.get(tokens[at], ()):
            end = at + len(phrase)
            if tuple(tokens[at:end]) == phrase:
                found.append((at, end, table.phrases[phrase]))
                at = end
                break
        else:
            at += 1
    return tokens, found


@cache
def levels() -> WordTable:
    """Phrases that carry a level, or that take one away."""
    return _table("title_levels.toml", departments_only=False)


@cache
def terms() -> WordTable:
    """Phrases that name a department."""
    return _table("title_levels.toml", "title_terms.toml", departments_only=True)


def _table(*names: str, departments_only: bool) -> WordTable:
    # What a word means in the first four languages stays.
    phrases = _phrases("title_languages.toml", departments_only=departments_only)
    phrases |= _phrases(*names, departments_only=departments_only)
    _add_forms(phrases)
    by_first: dict[str, list[Phrase]] = {}
    for phrase in sorted(phrases, key=len, reverse=True):
        by_first.setdefault(phrase[0], []).append(phrase)
    words = frozenset(word for phrase in phrases for word in phrase)
    return WordTable(phrases, by_first, words, heads_decide=not departments_only)


def _phrases(*names: str, departments_only: bool) -> dict[Phrase, Term]:
    """A later group gives a phrase another weight; a group without a department leaves it."""
    found: dict[Phrase, Term] = {}
    for phrase, term in (entry for name in names for entry in _entries(name)):
        if term.department is not None or not departments_only:
            known = found.get(phrase, term)
            stated = known if term.department is None else term
            found[phrase] = Term(stated.department, stated.weight, term.level or known.level)
    heads: dict[str, str] = toml_table(_SETS)["feminine_heads"]
    for phrase in [phrase for phrase in found if len(phrase) > 1]:
        if phrase[-1] == "leiter":
            found.setdefault((*phrase[:-1], "leitung"), found[phrase])
        if phrase[0] in heads:
            found.setdefault((heads[phrase[0]], *phrase[1:]), found[phrase])
    return found


def _entries(name: str) -> Iterator[tuple[Phrase, Term]]:
    for group in toml_table(name)["group"]:
        term = Term(
            _DEPARTMENTS.get(group.get("department")),
            float(group.get("weight", 0)),
            _LEVELS.get(group.get("level")),
        )
        for entry in group["words"].replace("\n", ";").split(";"):
            if phrase := tuple(entry.replace("&", " & ").split()):
                yield phrase, term


def _add_forms(phrases: dict[Phrase, Term]) -> None:
    """A word that occurs in phrases only still means alone what the word means that it is a form of."""
    for word in {word for phrase in phrases for word in phrase if (word,) not in phrases}:
        known = next((form for form in _forms(word) if (form,) in phrases), None)
        if known is not None:
            phrases[word,] = phrases[known,]


@lru_cache(maxsize=200_000)
def _parts(word: str, table: WordTable) -> Phrase:
    """The words of the table that a written word stands for; the word itself when it is none."""
    if word in table.words:
        return (word,)
    forms = _forms(word)
    alone = next((form for form in forms if (form,) in table.phrases), None)
    if alone is not None:
        return (alone,)
    compound = _behind_level(word, table)
    if compound is None and word not in _compound_heads():
        compound = _split(word, table)
    if compound is not None:
        return compound
    known = next((form for form in forms if form in table.words), None) or _corrected(word)
    return (known,) if known and known in table.words else (word,)


def _behind_level(word: str, table: WordTable) -> Phrase | None:
    """ "Juniorberater" is a junior and an adviser."""
    for level in _LEVELS_IN_FRONT:
        rest = word.removeprefix(level)
        if len(rest) >= 6 and rest != word and not rest.startswith("en"):
            return (level, *_parts(rest, table))
    return None


def _forms(word: str) -> list[str]:
    """Other spellings and the masculine and singular forms that a word may be of."""
    plain = word.replace("ae", "a").replace("oe", "o").replace("ue", "u")
    spellings = [word] if plain == word else [word, plain]
    ends = _FEMININE if len(word) >= 5 else ()
    return spellings[1:] + [
        spelling.removesuffix(ending) + base
        for spelling in spellings
        for ending, base in ends
        if spelling.endswith(ending) and len(spelling) - len(ending) >= 3
    ]


def _split(word: str, table: WordTable) -> Phrase | None:
    """The parts of a German compound: what stands before its last noun, and that noun."""
    if len(word) < 7:
        return None
    for form in (word, *_forms(word)):
        for ending, head in _compound_heads().items():
            front = form.removesuffix(ending)
            if front == form or len(front) < 2:
                continue
            known = _front(front, head, table)
            if table.heads_decide and known and (*known, head) not in table.phrases:
                return (head,)
            if known or len(front) >= 3:
                return (*known, head) if known else (front, head)
    return None


@cache
def _compound_heads() -> dict[str, str]:
    """What ends a compound, the longest first, and the noun that it is."""
    short: dict[str, str] = toml_table(_SETS)["short_endings"]
    heads = sorted((*word_set(_SETS, "compound_heads"), *short), key=len, reverse=True)
    return {head: short.get(head, head) for head in heads}


def _front(front: str, head: str, table: WordTable) -> Phrase:
    stems = list(dict.fromkeys(map(front.removesuffix, _LINKS)))
    for stem in stems:
        if (stem, head) in table.phrases or (stem,) in table.phrases:
            return (stem,)
    for stem in stems:
        if len(stem) >= 2 and stem in table.words:
            return (stem,)
    inner = _split(front, table) or (_split(front[:-1], table) if front.endswith("s") else None)
    return inner or ()


def _corrected(word: str) -> str | None:
    """The known word that a word is one typing error away from; None when none or several are: one letter
    more or less, two swapped, or, in long words only, one for another."""
    if len(word) < _SHORTEST_TYPO - 1 or not word.isalpha():
        return None
    alike = process.extract(
        word, _known_by_letter().get(word[0], ()), scorer=OSA.distance, score_cutoff=1, limit=None
    )
    near = [
        known
        for known, distance, _ in alike
        if len(known) != len(word)
        or len(word) >= _SHORTEST_SUBSTITUTION
        or sorted(known) == sorted(word)
    ]
    return near[0] if len(near) == 1 else None


@cache
def _known_by_letter() -> dict[str, list[str]]:
    """The known words by their first letter, which is never mistyped; short ones are too much alike."""
    known = levels().words | terms().words
    long = sorted(word for word in known if len(word) >= _SHORTEST_TYPO)
    return {letter: list(words) for letter, words in groupby(long, itemgetter(0))}
