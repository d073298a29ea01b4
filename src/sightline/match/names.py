"""What a name says: its words without the legal form, each with a kind; and its other readings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from sightline.domain.names import fold, split_dba
from sightline.match.romanise import key, romanise, words_of
from sightline.match.vocabulary import (
    CLASSES,
    COMPOUND_LETTERS,
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
_COMPOUND = re.compile(f"[{COMPOUND_LETTERS}]+|[^{COMPOUND_LETTERS}]+")
# "The city of" and "the province of" after a place, as in 深圳市.
_DISTRICT = re.compile("^([\u4e00-\u9fff]{2,3}?)[市省县縣](?=.)")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc]")
# Signs that end a name or stand alone in it, though most single signs are part of another word.
_LAST_SIGNS = frozenset("部局厂廠港院社党")
_ASIDE = re.compile(r"\(([^()]*)\)|（([^（）]*)）|\[([^\[\]]*)\]")
_FORMERLY = re.compile(
    r"\b(?:formerly(?: known as)?|f/?k/?a|previously|also known as|a/?k/?a|nee|ehemals|anciennement)\b[:\s]*",
    re.IGNORECASE,
)
# An abbreviation after the name: "Petroleo Brasileiro - PETROBRAS".
_ABBREVIATED = re.compile(r"\s+[-–—]\s+([^\W\d_]{3,10})$")
_NUMERO = re.compile(r"№|\bn[o°º]\.?\s*(?=\d)|#\s*(?=\d)", re.IGNORECASE)


# "Quillen.com" is Quillen.
_SITE = re.compile(r"(?<=[a-z\d]{2})\.(?:com|net|org|io|ai|me)\b", re.IGNORECASE)


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
    ``initials`` are those of the words as they are written, ``all_initials`` those of stop words as
    well; ``bare`` are its letters run together.
    ``plain`` are the keys of the words as they are written, one blank apart.
    """

    text: str
    words: tuple[Word, ...]
    forms: int
    latin: bool
    initials: str
    all_initials: str
    bare: str
    plain: str


def variants(name: str) -> list[str]:
    """The names a text holds: "X (Y)" holds X and Y, "X formerly Y" and "X d/b/a Y" too.

    What stands aside is a name of its own only if it is more than a place, a kind or a form: "X
    (India)" is one name. The first is the one the text begins with.
    """
    name = name[:MAX_CHARS]
    legal, trade = split_dba(name)
    found: list[str] = []
    for each in [legal, trade] if trade else [name]:
        now, *before = _FORMERLY.split(each)
        if before:
            # What follows the bracket belongs to the name it is now.
            last, _, rest = before[-1].partition(")")
            found.append(f"{now.rstrip(' (,;')} {rest}".strip())
            found.extend(old.strip(" (),;") for old in (*before[:-1], last))
        else:
            found.extend(_beside(each))
    return [each for each in dict.fromkeys(found) if each.strip()] or [name]


def _beside(name: str) -> list[str]:
    """A name with what stands in brackets or after a stroke."""
    aside = _ASIDE.search(name)
    if aside:
        inner = next(group for group in aside.groups() if group is not None).strip()
        outer = _ASIDE.sub(" ", name).strip()
        return [outer, inner] if outer and _is_own(inner) else [name]
    one, stroke, other = name.partition(" / ")
    if stroke and _is_own(one) and _is_own(other):
        return [one.strip(), other.strip()]
    short = _ABBREVIATED.search(name)
    return [name[: short.start()], short[1]] if short and _is_own(short[1]) else [name]


def _is_own(text: str) -> bool:
    """Whether a text names something of its own, and is not a place, a kind of business or a form."""
    tables = vocabulary()
    keys = [key(romanise(word) or "?") for word in fold(text).split()]
    if not keys or all(each in tables.edge_forms or each in tables.forms for each in keys):
        return False
    return any(word.kind == "word" and len(word.key) > 1 for word in read_name(text).words)


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
    # Vowel signs of Indic scripts would read as letters that stand alone.
    if len(folded) > 3 and " " in folded and max(folded) < "\u0900":
        folded = _SPELLED.sub(lambda run: run[0].replace(" ", ""), folded)
    forms: set[str] = set()
    written = folded.split()
    simple = _simple(written, forms) if folded.isascii() else None
    if simple is not None:
        rest = [part for part, _ in simple]
        words = [word for _, word in simple if word is not None]
    else:
        parts = list(_parts(folded, forms))[: MAX_WORDS * 2]
        kept = _without_forms(parts, forms)
        rest = [part for part, _ in kept]
        words = _words(kept) or _words(parts, keep_all=True)
    if not words:
        words = [Word(folded or text.strip().casefold() or "?", "word", 2)]
    bits = 0
    for form in forms:
        bits |= 1 << CLASSES.index(form)
    written = [each for each in map(romanise, written) if each]
    initials = "".join([each[0] for each in written if key(each) not in _STOP])
    all_initials = "".join([each[0] for each in written])
    bare = ""
    if len(written) == 1:
        bare = written[0]
    elif len(rest) == 1:
        bare = next((each for each in written if key(each) == rest[0]), "")
    said = [part for part in rest if part not in _STOP] or [word.key for word in words]
    plain = " ".join(said[:MAX_WORDS])
    return Name(name, tuple(words[:MAX_WORDS]), bits, latin, initials, all_initials, bare, plain)


def _simple(written: list[str], forms: set[str]) -> list[tuple[str, Word | None]] | None:
    """Keys and words of a name without phrases, its forms at the edges; None if it is not such."""
    tables = vocabulary()
    found = []
    before = ""
    for word in written:
        lone = _lone(word)
        if lone is None or (before, lone[0]) in tables.bigrams:
            return None
        found.append(lone)
        before = lone[0]
    while len(found) > 1 and found[-1][0] in tables.edge_forms:
        forms.add(tables.edge_forms[found.pop()[0]])
    while len(found) > 1 and found[0][0] in tables.start_forms:
        forms.add(tables.edge_forms.get(found.pop(0)[0], "stock"))
    return found if any(word is not None for _, word in found) else None


@lru_cache(maxsize=100_000)
def _lone(word: str) -> tuple[str, Word | None] | None:
    """Key and word of an ASCII word that is read alike wherever it stands; a stop word has no word."""
    part, tables = key(word), vocabulary()
    if part in tables.forms or part in _ROMAN or tables.halves(part):
        return None
    return part, None if part in _STOP else _word(part, position=0)


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
    for piece in _DISTRICT.sub(r"\1 ", run).split():
        for text, concept in _chunks(tables, piece):
            if concept is not None:
                yield concept.name, concept
            else:
                yield key(romanise(text) or "?"), None


def _chunks(tables: Vocabulary, piece: str) -> Iterator[tuple[str, Concept | None]]:
    """A compound in parts, each with its concept; unknown signs side by side are one part."""
    start = 0
    unknown = ""
    while start <= len(piece):
        concept, size = _longest_inside(tables, piece, start)
        if unknown and (concept is not None or start == len(piece)):
            yield from _unknown(tables, unknown, last=start == len(piece))
            unknown = ""
        if concept is not None:
            yield piece[start : start + size], concept
        else:
            unknown += piece[start : start + 1]
        start += size


def _unknown(tables: Vocabulary, text: str, *, last: bool) -> Iterator[tuple[str, Concept | None]]:
    """Signs between known words: a single one is a word after all, and so is "ministry" at the end."""
    if len(text) > 1 and last and text[-1] in _LAST_SIGNS:
        yield text[:-1], None
        text = text[-1]
    yield text, tables.inside.get(text) if len(text) == 1 else None


def _longest_inside(tables: Vocabulary, run: str, start: int) -> tuple[Concept | None, int]:
    for size in range(min(tables.inside_longest, len(run) - start), 1, -1):
        word = run[start : start + size]
        concept = None if start else tables.inside_first.get(word)
        concept = concept or tables.inside.get(word)
        if concept is not None and not _is_part(run, start, size):
            return concept, size
    return None, 1


def _is_part(run: str, start: int, size: int) -> bool:
    """Whether two katakana stand within a longer word of katakana: Thailand is not in Taisei."""
    around = run[start - 1 : start] + run[start + size : start + size + 1]
    return (
        size == 2
        and _KATAKANA.match(run[start]) is not None
        and _KATAKANA.search(around) is not None
    )


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
            elif halves := tables.halves(part):
                words.extend(
                    _plain(half)
                    if isinstance(half, str)
                    else Word(half.name, half.kind, half.commonness)
                    for half in halves
                )
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
    return _plain(part)


def _plain(part: str) -> Word:
    return Word(part, "word", 2 if len(part) > 3 else 12 if len(part) > 1 else 60)
