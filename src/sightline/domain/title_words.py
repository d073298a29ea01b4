"""The vocabulary of job titles: its tables, and how a written word is matched to an entry.

German compounds are split (`Vertriebsleiterin` -> vertriebs, leiter), feminine and plural forms and
single typing errors are led back to the word that is known.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Literal, NamedTuple, get_args

from rapidfuzz import process
from rapidfuzz.distance import OSA

from sightline.domain.tables import toml_table, word_set

_SETS = "title_sets.toml"

_UMLAUTS = ("ae", "oe", "ue")
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


@dataclass(frozen=True)
class WordTable:
    """Phrases by their first word, longest first; and every word that occurs in one."""

    phrases: dict[Phrase, Term]
    by_first: dict[str, tuple[tuple[Phrase, Term], ...]]
    words: frozenset[str]
    heads_decide: bool  # only the last noun of a compound counts, but for phrases of both parts

    def matches(self, tokens: list[str]) -> list[tuple[int, int, Term]]:
        """The phrases of a title from left to right, longest first: (start, end, term)."""
        found = []
        at, end = 0, len(tokens)
        while at < end:
            for phrase, term in self.by_first.get(tokens[at], ()):
                length = len(phrase)
                if length == 1 or tuple(tokens[at : at + length]) == phrase:
                    found.append((at, at + length, term))
                    at += length
                    break
            else:
                at += 1
        return found


def _read(name: str, found: dict[Phrase, Term], *, departments_only: bool) -> None:
    heads: dict[str, str] = toml_table(_SETS)["feminine_heads"]
    feminine: dict[Phrase, Phrase] = {}
    for group in toml_table(name)["group"]:
        term = Term(
            _DEPARTMENTS.get(group.get("department")),
            float(group.get("weight", 0)),
            _LEVELS.get(group.get("level")),
        )
        if departments_only and term.department is None:
            continue
        for entry in group["words"].replace("\n", ";").split(";"):
            phrase = tuple(entry.replace("&", " & ").split())
            if not phrase:
                continue
            found[phrase] = _merged(found.get(phrase), term)
            if len(phrase) > 1 and phrase[-1] == "leiter":
                found.setdefault((*phrase[:-1], "leitung"), found[phrase])
            if len(phrase) > 1 and phrase[0] in heads:
                feminine[heads[phrase[0]], *phrase[1:]] = phrase
    for variant, phrase in feminine.items():
        found.setdefault(variant, found[phrase])


def _merged(known: Term | None, added: Term) -> Term:
    """A later group gives a phrase another weight; a group without a department leaves it."""
    if known is None:
        return added
    department, weight = (
        (added.department, added.weight)
        if added.department is not None
        else (known.department, known.weight)
    )
    return Term(department, weight, added.level or known.level)


def _table(names: tuple[str, ...], *, departments_only: bool) -> WordTable:
    phrases: dict[Phrase, Term] = {}
    for name in names:
        _read(name, phrases, departments_only=departments_only)
    more: dict[Phrase, Term] = {}
    _read("title_languages.toml", more, departments_only=departments_only)
    phrases = more | phrases  # what a word means in the first four languages stays
    _add_forms(phrases)
    by_first: dict[str, list[tuple[Phrase, Term]]] = {}
    for phrase, term in phrases.items():
        by_first.setdefault(phrase[0], []).append((phrase, term))
    return WordTable(
        phrases,
        {
            word: tuple(sorted(given, key=lambda each: -len(each[0])))
            for word, given in by_first.items()
        },
        frozenset(word for phrase in phrases for word in phrase),
        heads_decide=not departments_only,
    )


def _add_forms(phrases: dict[Phrase, Term]) -> None:
    """A word that occurs in phrases only still means alone what the word means that it is a form of."""
    for word in {word for phrase in phrases for word in phrase if len(phrase) > 1}:
        if (word,) in phrases:
            continue
        known = next((form for form in _forms(word) if (form,) in phrases), None)
        if known is not None:
            phrases[word,] = phrases[known,]


@cache
def levels() -> WordTable:
    """Phrases that carry a level, or that take one away."""
    return _table(("title_levels.toml",), departments_only=False)


@cache
def terms() -> WordTable:
    """Phrases that name a department."""
    return _table(("title_levels.toml", "title_terms.toml"), departments_only=True)


def parts(word: str, table: WordTable) -> tuple[str, ...]:
    """The words of the table that a written word stands for; the word itself when it is none."""
    cached = _PARTS.get((id(table), word))
    if cached is None:
        cached = _parts(word, table)
        if len(_PARTS) > _MOST_CACHED:
            _PARTS.clear()
        _PARTS[id(table), word] = cached
    return cached


_PARTS: dict[tuple[int, str], tuple[str, ...]] = {}
_MOST_CACHED = 200_000


def taken_apart(words: Iterable[str], table: WordTable) -> list[str]:
    """The words of the table that written words stand for."""
    return [part for word in words for part in parts(word, table)]


def _parts(word: str, table: WordTable) -> tuple[str, ...]:
    if word in table.words:
        return (word,)
    forms = _forms(word)
    alone = next((form for form in forms if (form,) in table.phrases), None)
    if alone is not None:
        return (alone,)
    compound = _behind_level(word, table) or _compound(word, table)
    if compound is not None:
        return compound
    known = next((form for form in forms if form in table.words), None) or _corrected(word)
    return (known,) if known and known in table.words else (word,)


def _behind_level(word: str, table: WordTable) -> tuple[str, ...] | None:
    """ "Juniorberater" is a junior and an adviser."""
    for level in _LEVELS_IN_FRONT:
        rest = word.removeprefix(level)
        if len(rest) >= 6 and rest != word and not rest.startswith("en"):
            return (level, *_parts(rest, table))
    return None


def _compound(word: str, table: WordTable) -> tuple[str, ...] | None:
    return None if word in word_set(_SETS, "compound_heads") else _split(word, table)


@cache
def _known_words() -> frozenset[str]:
    return levels().words | terms().words


def _is_known(word: str) -> bool:
    known = _known_words()
    return word in known or any(form in known for form in _forms(word))


def _forms(word: str) -> list[str]:
    """Other spellings and the masculine and singular forms that a word may be of."""
    found = []
    for digraph in _UMLAUTS:
        if digraph in word:
            found.append(word.replace(digraph, digraph[0]))
    if sum(digraph in word for digraph in _UMLAUTS) > 1:
        found.append(word.replace("ae", "a").replace("oe", "o").replace("ue", "u"))
    if len(word) >= 5:
        for spelling in (word, *found):
            for ending, base in _FEMININE:
                if spelling.endswith(ending) and len(spelling) - len(ending) >= 3:
                    found.append(spelling[: len(spelling) - len(ending)] + base)
    return found


def _split(word: str, table: WordTable) -> tuple[str, ...] | None:
    """The parts of a German compound: what stands before its last noun, and that noun."""
    if len(word) < 7:
        return None
    heads = word_set(_SETS, "compound_heads")
    for form in (word, *_forms(word)):
        for length in _head_lengths():
            head = form[-length:]
            if head not in heads or len(form) - length < 2:
                continue
            front = form[: len(form) - length]
            known = _front(front, head, table)
            if table.heads_decide and known and (*known, head) not in table.phrases:
                return (head,)
            if known or len(front) >= 3:
                return (*known, head) if known else (front, head)
    return None


@cache
def _head_lengths() -> tuple[int, ...]:
    return tuple(sorted({len(head) for head in word_set(_SETS, "compound_heads")}, reverse=True))


def _front(front: str, head: str, table: WordTable) -> tuple[str, ...]:
    stems = list(dict.fromkeys(map(front.removesuffix, _LINKS)))
    for stem in stems:
        if (stem, head) in table.phrases or (stem,) in table.phrases:
            return (stem,)
    for stem in stems:
        if len(stem) >= 2 and stem in table.words:
            return (stem,)
    inner = _split(front, table) or (_split(front[:-1], table) if front.endswith("s") else None)
    return inner or _last_field(front, table)


def _last_field(front: str, table: WordTable) -> tuple[str, ...]:
    """ "Landmaschinenvertriebs": a field may stand behind words that say nothing here."""
    for start in range(3, len(front) - 4):
        for link in _LINKS[:4]:
            stem = front[start:].removesuffix(link)
            if len(stem) >= 5 and (stem,) in table.phrases:
                return (stem,)
    return ()


def _corrected(word: str) -> str | None:
    """The known word that a word is one typing error away from; None when none or several are: one letter
    more or less, two swapped, or, in long words only, one for another."""
    if len(word) < _SHORTEST_TYPO - 1 or not word.isalpha() or _is_known(word):
        return None
    alike = process.extract(
        word, _known_by_letter().get(word[0], ()), scorer=OSA.distance, score_cutoff=1, limit=None
    )
    near = [
        known
        for known, _, _ in alike
        if len(known) != len(word)
        or len(word) >= _SHORTEST_SUBSTITUTION
        or sorted(known) == sorted(word)
    ]
    return near[0] if len(near) == 1 else None


@cache
def _known_by_letter() -> dict[str, list[str]]:
    """The known words by their first letter, which is never mistyped; short ones are too much alike."""
    long = sorted(word for word in _known_words() if len(word) >= _SHORTEST_TYPO)
    return {letter: list(words) for letter, words in groupby(long, itemgetter(0))}
