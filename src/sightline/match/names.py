"""What a name says: its words without the legal form, each with a kind; and its other readings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from sightline.domain.names import fold, split_dba
from sightline.match.romanise import key, romanise, words_of
from sightline.match.vocabulary import (
    CLASSES,
    Concept,
    Kind,
    Vocabulary,
    is_compound_script,
    vocabulary,
)

MAX_CHARS = 300
MAX_WORDS = 24
"""Longer names are cut here: a name is no paragraph."""

# Articles, prepositions and "and" as keys: they say nothing, and translations drop them.
_STOP = frozenset(
    key(word)
    for word in words_of(
        "the and of for de la le les du des del dela delo deli della degli di da do dos das e "
        "et und fur der die das den dem i v vo na al el ul il lo los las in an at von van zu "
        "zur zum y o a to on by with per pri po dla pour ve en och og ja for af ng sa ot s im "
        "am bin ibn ash az as d l t z k nr no num nomer imeni named after it its g gor tis "
        "tou tes ton ha"
    )
)
_ROMAN = {
    name: str(value)
    for value, name in enumerate(
        words_of("i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi"), 1
    )
}
_SPELLED = re.compile(r"\b[^\W\d_](?: [^\W\d_]\b)+")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th|i|ii|oi|aia|ia|a|e|er|o)")
_COMPOUND = re.compile("[\u2e80-\u9fff\uac00-\ud7af]+|[^\u2e80-\u9fff\uac00-\ud7af]+")
_ASIDE = re.compile(r"\(([^()]*)\)|（([^（）]*)）|\[([^\[\]]*)\]")
_FORMERLY = re.compile(
    r"\b(?:formerly(?: known as)?|f/?k/?a|previously|also known as|a/?k/?a|nee|ehemals|anciennement)\b[:\s]*",
    re.IGNORECASE,
)
_NUMERO = re.compile(r"№|\bn[o°º]\.?\s*(?=\d)|#\s*(?=\d)", re.IGNORECASE)


# "Quillen.com" is Quillen.
_SITE = re.compile(r"(?<=[a-z\d]{2})\.(?:com|net|org|io|ai|me)\b", re.IGNORECASE)
_AND = frozenset({"and", "und", "et", "y", "e", "i", "u"})


@dataclass(frozen=True, slots=True)
class Word:
    """One word: its key, kind and how many of 10,000 names have it (an estimate of the tables)."""

    key: str
    kind: Kind
    commonness: int


@dataclass(frozen=True, slots=True)
class Name:
    """A name read. ``words`` are without legal forms and stop words; never empty.

    ``forms`` is a bit set over CLASSES; ``latin`` says that the name was written in Latin letters.
    ``initials`` are those of all words as they are written; ``bare`` are its letters run together.
    ``plain`` are the keys of the words as they are written, one blank apart.
    """

    text: str
    words: tuple[Word, ...]
    forms: int
    latin: bool
    initials: str
    bare: str
    plain: str


def variants(name: str) -> list[str]:
    """The name and the other names it holds: "X (Y)" gives X Y, X and Y; "X d/b/a Y" X and Y."""
    name = name[:MAX_CHARS]
    found = [name]
    legal, trade = split_dba(name)
    if trade:
        found = [legal, trade]
    for each in list(found):
        parts = [part.strip() for part in _FORMERLY.split(each) if part.strip(" (),;")]
        if len(parts) > 1:
            found.extend(part.strip(" (),;") for part in parts)
        aside = _ASIDE.search(each)
        if aside:
            inner = next(group for group in aside.groups() if group is not None).strip()
            found.append(_ASIDE.sub(" ", each).strip())
            if len(inner) > 2 and not inner.isdigit():
                found.append(inner)
        if " / " in each:
            found.extend(part.strip() for part in each.split(" / "))
    return [each for each in dict.fromkeys(found) if each.strip()] or [name]


@lru_cache(maxsize=50_000)
def read_name(name: str) -> Name:
    """Read a name in any script. A name of nothing but a legal form keeps it as its word."""
    text = name[:MAX_CHARS]
    if not text.isascii() or "#" in text or "o." in text.lower():
        text = _NUMERO.sub(" ", text)
    if "." in text:
        text = _SITE.sub(" ", text)
    folded = fold(text)
    latin = folded.isascii() or not any(letter > "\u036f" for letter in folded)
    if len(folded) > 3 and " " in folded:
        folded = _SPELLED.sub(lambda run: run[0].replace(" ", ""), folded)
    forms: set[str] = set()
    parts = list(_parts(folded, forms))[: MAX_WORDS * 2]
    rest = _without_forms(parts, forms)
    words = _words(rest) or _words(parts, keep_all=True)
    if not words:
        words = [Word(folded or text.strip().casefold() or "?", "word", 2)]
    bits = sum(1 << CLASSES.index(form) for form in forms)
    written = [romanise(word) for word in folded.split()]
    initials = "".join([word[0] for word in written if word and word not in _AND])
    bare = "".join(written) if len(written) == 1 or len(rest) == 1 else ""
    if len(rest) == 1 and len(written) > 1:
        bare = next((word for word in written if word and key(word) == rest[0][0]), "")
    said = [part for part, _ in rest if part not in _STOP] or [word.key for word in words]
    plain = " ".join(said[:MAX_WORDS])
    return Name(name, tuple(words[:MAX_WORDS]), bits, latin, initials, bare, plain)


_Part = tuple[str, Concept | None]
"""A word's key, with its concept where that was seen in the word's own script."""


def _parts(folded: str, forms: set[str]) -> Iterator[_Part]:
    tables = vocabulary()
    for word in folded.split():
        if word.isascii():
            yield key(word), None
        elif is_compound_script(word):
            for run in _COMPOUND.findall(word):
                if is_compound_script(run):
                    yield from _segments(run, forms)
                elif romanised := romanise(run):
                    yield key(romanised), None
        elif romanised := romanise(word):
            yield key(romanised), tables.native_concept(word)


def _segments(run: str, forms: set[str]) -> Iterator[_Part]:
    """Known words inside a compound, longest first; what stands between them is one word."""
    tables = vocabulary()
    for spelling, form in tables.inside_forms:
        if spelling in run:
            run = run.replace(spelling, " ", 1)
            forms.add(form)
            if len(forms) > 1:
                break
    start = 0
    unknown = ""
    while start < len(run):
        concept, size = _longest_inside(tables, run, start)
        if concept is None and run[start] != " ":
            unknown += run[start]
        elif unknown:
            yield key(romanise(unknown) or "?"), None
            unknown = ""
        if concept is not None:
            yield concept.name, concept
        start += size
    if unknown:
        yield key(romanise(unknown) or "?"), None


def _longest_inside(tables: Vocabulary, run: str, start: int) -> tuple[Concept | None, int]:
    for size in range(min(tables.inside_longest, len(run) - start), 0, -1):
        concept = tables.inside.get(run[start : start + size])
        # One sign alone is often part of a name; two and more are words.
        if concept is not None and (size > 1 or len(run) <= 3):
            return concept, size
    return None, 1


def _without_forms(parts: list[_Part], forms: set[str]) -> list[_Part]:
    tables = vocabulary()
    kept: list[_Part] = []
    keys = [part for part, _ in parts]
    at = 0
    while at < len(parts):
        size = 0
        for phrase, form in tables.form_phrases.get(keys[at], ()):
            if len(phrase) < len(parts) and tuple(keys[at : at + len(phrase)]) == phrase:
                size = len(phrase)
                forms.add(form)
                break
        if not size and keys[at] in tables.forms and len(parts) > 1:
            size = 1
            forms.add(tables.forms[keys[at]])
        if not size:
            kept.append(parts[at])
        at += size or 1
    while len(kept) > 1 and kept[-1][0] in tables.edge_forms:
        forms.add(tables.edge_forms[kept.pop()[0]])
    while len(kept) > 1 and kept[0][0] in tables.start_forms:
        forms.add(tables.edge_forms.get(kept.pop(0)[0], "stock"))
    return kept


def _words(parts: list[_Part], *, keep_all: bool = False) -> list[Word]:
    tables = vocabulary()
    words: list[Word] = []
    keys = [part for part, _ in parts]
    at = 0
    while at < len(parts):
        part, known = parts[at]
        for phrase, concept in tables.concept_phrases.get(part, ()):
            if tuple(keys[at : at + len(phrase)]) == phrase:
                words.append(Word(concept.name, concept.kind, concept.commonness))
                at += len(phrase)
                break
        else:
            at += 1
            if not keep_all and len(parts) > 1 and part in _STOP and known is None:
                continue
            if known is not None:
                words.append(Word(known.name, known.kind, known.commonness))
            else:
                words.append(_word(part, position=len(words)))
    return words


def _word(part: str, *, position: int) -> Word:
    if part[0].isdigit():
        if part.isdigit():
            return Word(part.lstrip("0") or "0", "number", 40)
        ordinal = _ORDINAL.fullmatch(part)
        if ordinal:
            return Word(ordinal[1], "number", 40)
    if position and part in _ROMAN:
        return Word(_ROMAN[part], "number", 40)
    concept = vocabulary().concept(part)
    if concept is not None:
        return Word(concept.name, concept.kind, concept.commonness)
    return Word(part, "word", 2 if len(part) > 3 else 12 if len(part) > 1 else 60)
