"""Parses a name: its words without the legal form, each with a kind."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from sightline.domain.names import fold
from sightline.match.marks import without_marks
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
_STOP_WORDS = frozenset(
    words_of(
        "the and of for de la le les du des del dela delo deli della degli di da do dos das e "
        "et und fur der die das den dem i v vo na al el ul il lo los las in an at von van zu "
        "zur zum y o a to on by with per pri po dla pour ve en och og ja for af ng sa ot s im "
        "am bin ibn ash az as d l t z k nr no num nomer imeni named after it its g gor tis "
        "tou tes ton ha"
    )
)
_STOP = frozenset(map(key, _STOP_WORDS))
_ROMAN = {
    name: str(value)
    for value, name in enumerate(
        words_of(
            "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx xxi xxii xxiii "
            "xxiv xxv"
        ),
        1,
    )
}
_SPELLED = re.compile(r"\b[^\W\d_](?: [^\W\d_]\b)+")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th|i|ii|oi|aia|ia|a|e|er|o)")
# Not compiled before a name needs it, which takes as long as reading a hundred names.
_COMPOUND = f"[{COMPOUND_LETTERS}]+|[^{COMPOUND_LETTERS}]+"
# "The city of" and "the province of" after a place, as in 深圳市.
_DISTRICT = re.compile("^([\u4e00-\u9fff]{2,3}?)[市省县縣](?=.)")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc]")
# Signs that end a name or stand alone in it, though most single signs are part of another word.
_LAST_SIGNS = frozenset("部局厂廠港院社党")


_CLASS = re.compile(r" (?:class|series|cl) [a-d]\b")
# Words that one list writes and the other does not, also where letters are compared as written.
_AND_THE = frozenset("the and of et und".split())
FILLER_COMMON = 900
"""From this commonness on a generic word comes and goes: Group, Holdings, International."""


class Word(NamedTuple):
    """One word: its key, kind and how many of 10,000 names have it (an estimate of the tables)."""

    key: str
    kind: Kind
    commonness: int


class Name(NamedTuple):
    """A name read. ``words`` are without legal forms and stop words; never empty.

    ``forms`` is a bit set over CLASSES; ``latin`` says that the name was written in Latin letters.
    ``initials`` are those of the words as they are written, with and without those of stop words and
    legal forms; ``bare`` is the name when it is one word, beside words such as "Group".
    ``plain`` are the keys of the words as they are written, one blank apart; ``written`` are their
    letters, run together.
    """

    text: str
    words: tuple[Word, ...]
    forms: int
    latin: bool
    initials: tuple[str, ...]
    bare: str
    plain: str
    written: str


class _Parted(NamedTuple):
    """A folded name in parts: its words as written, those without legal forms, the keys of what is
    said, and its words."""

    written: list[str]
    own: list[str]
    said: list[str]
    words: list[Word]


@lru_cache(maxsize=50_000)
def read_name(name: str) -> Name:
    """Read a name in any script. A name of nothing but a legal form keeps it as its word."""
    text = without_marks(name[:MAX_CHARS])
    folded = fold(vocabulary().with_form_apart(text))
    latin = folded.isascii() or max(folded) <= "\u036f"
    written = vocabulary().spelled_out(_unspelled(folded))
    folded = " ".join(written)
    forms: set[str] = set()
    parted = (_parted_simply(written, forms) if folded.isascii() else None) or _parted(
        folded, written, forms
    )
    words = parted.words or [Word(folded or text.strip().casefold() or "?", "word", 2)]
    plain = " ".join((parted.said or [word.key for word in words])[:MAX_WORDS])
    letters = "".join(_without_and(parted.own))
    return Name(
        name, tuple(words[:MAX_WORDS]), _bits(forms), latin, _initials(parted.written, parted.own),
        _bare(parted.own, words), plain, letters if latin else plain.replace(" ", ""),
    )  # fmt: skip


def _unspelled(folded: str) -> list[str]:
    """The words of a folded name, "l l c" as one and without the class of a share."""
    written = folded.split()
    # Vowel signs of Indic scripts would read as letters that stand alone.
    if len(folded) > 3 and min(map(len, written)) == 1 and max(folded) < "\u0900":
        folded = _SPELLED.sub(lambda run: run[0].replace(" ", ""), folded)
    if " cl" in folded or " series" in folded:
        folded = _CLASS.sub("", folded)
    return folded.split()


def _parted_simply(written: list[str], forms: set[str]) -> _Parted | None:
    """A name without phrases; None if it is not such."""
    simple = _simple(written, forms)
    if simple is None:
        return None
    start, lone = simple
    named = [(part, word) for part, word in lone if word is not None]
    own = written[start : start + len(lone)]
    return _Parted(written, own, [part for part, _ in named], [word for _, word in named])


def _parted(folded: str, written: list[str], forms: set[str]) -> _Parted:
    parts = list(_parts(folded, forms))[: MAX_WORDS * 2]
    kept = _without_forms(parts, forms)
    rest = [part for part, _ in kept]
    said = [part for part in rest if part not in _STOP]
    written = [each for each in map(romanise, written) if each]
    own = [each for each in written if key(each) in rest] or written
    return _Parted(written, own, said, _words(kept) or _words(parts, keep_all=True))


def _without_and(words: list[str]) -> list[str]:
    return [each for each in words if each not in _AND_THE] or words


def _bits(forms: set[str]) -> int:
    """Legal forms as a bit set over CLASSES."""
    classes = {each for form in forms for each in form.split("+")}
    return sum(1 << CLASSES.index(each) for each in classes)


def _initials(written: list[str], own: list[str]) -> tuple[str, ...]:
    """Without stop words and with; and with the first of the legal form, as in TSMC and KEPCO."""
    if len(written) < 3:
        return ()
    found = []
    for keep in (False, True):
        short = [word[0] for word in own if keep or word not in _STOP_WORDS]
        found.append("".join(short))
        whole = [word[0] for word in written if keep or word not in _STOP_WORDS]
        if len(whole) > len(short) and whole[: len(short)] == short:
            found.append("".join(whole[: len(short) + 1]))
    return tuple(each for each in dict.fromkeys(found) if len(each) > 2)


def _bare(own: list[str], words: list[Word]) -> str:
    """The one word that a name is, also of "AIB Group"; else nothing."""
    if len(own) == 1:
        return own[0]
    fillers = all(word.kind == "generic" and word.commonness >= FILLER_COMMON for word in words[1:])
    return own[0] if len(own) == len(words) and fillers else ""


_Lone = tuple[str, Word | None]


def _simple(written: list[str], forms: set[str]) -> tuple[int, list[_Lone]] | None:
    """Keys and words of a name without phrases, its forms at the edges; None if it is not such.

    Before them how many words of the beginning are a legal form.
    """
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
    start = 0
    while len(found) - start > 1 and found[start][0] in tables.start_forms:
        forms.add(tables.edge_forms.get(found[start][0], "stock"))
        start += 1
    if len(found) - start > 1 and _is_mark(found[-1][0]):
        found[-1] = found[-1][0], Word(found[-1][0], "number", 40)
    return (start, found[start:]) if any(word is not None for _, word in found[start:]) else None


@lru_cache(maxsize=100_000)
def _lone(word: str) -> _Lone | None:
    """Key and word of an ASCII word that is read alike wherever it stands; a stop word has no word."""
    part, tables = key(word), vocabulary()
    if part in tables.forms or part in _ROMAN or tables.halves(part):
        return None
    # By the word and not by its key: Dell is no article.
    return part, None if word in _STOP_WORDS else _word(part, position=0)


def _is_mark(last: str) -> bool:
    """Whether the last word is a letter that tells sisters apart, as a number does: Stroyinvest-M.

    The first letters of the alphabet are classes of shares.
    """
    return len(last) == 1 and last.isalpha() and last not in "abcd"


_Part = tuple[str, Concept | None]
"""A word's key, with its concept where that was seen in the word's own script."""


def _parts(folded: str, forms: set[str]) -> Iterator[_Part]:
    tables = vocabulary()
    for word in folded.split():
        if word.isascii():
            yield key(word), None
        elif is_compound_script(word):
            for run in re.findall(_COMPOUND, word):
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
        size, form = _form_at(keys, at)
        if size:
            forms.add(form)
        else:
            kept.append(parts[at])
        at += size or 1
    while len(kept) > 1 and kept[-1][0] in tables.edge_forms:
        forms.add(tables.edge_forms[kept.pop()[0]])
    while len(kept) > 1 and kept[0][0] in tables.start_forms:
        forms.add(tables.edge_forms.get(kept.pop(0)[0], "stock"))
    return kept


def _form_at(keys: list[str], at: int) -> tuple[int, str]:
    """How many keys are a legal form that begins at a place, and its class; 0 for none."""
    tables, part = vocabulary(), keys[at]
    for phrase, form in tables.form_phrases.get(part, ()):
        if len(phrase) < len(keys) and tuple(keys[at : at + len(phrase)]) == phrase:
            return len(phrase), form
    return (1, tables.forms[part]) if part in tables.forms and len(keys) > 1 else (0, "")


def _words(parts: list[_Part], *, keep_all: bool = False) -> list[Word]:
    tables = vocabulary()
    words: list[Word] = []
    keys = [part for part, _ in parts]
    at = 0
    while at < len(parts):
        part, known = parts[at]
        for phrase, concept in tables.concept_phrases.get(part, ()):
            if tuple(keys[at : at + len(phrase)]) == phrase:
                words.append(_meant(concept))
                at += len(phrase)
                break
        else:
            at += 1
            if known is not None:
                words.append(_meant(known))
            elif at == len(parts) > 1 and _is_mark(part):
                words.append(Word(part, "number", 40))
            elif keep_all or len(parts) == 1 or part not in _STOP:
                words.extend(_own_words(part, position=len(words)))
    return words


def _own_words(part: str, *, position: int) -> list[Word]:
    """A word in its parts if it is a compound of known ones."""
    halves = vocabulary().halves(part)
    if not halves:
        return [_word(part, position=position)]
    return [_plain(half) if isinstance(half, str) else _meant(half) for half in halves]


def _meant(concept: Concept) -> Word:
    return Word(concept.name, concept.kind, concept.commonness)


def _word(part: str, *, position: int) -> Word:
    if part[0].isdigit():
        if part.isdigit():
            return Word(part.lstrip("0") or "0", "number", 40)
        ordinal = _ORDINAL.fullmatch(part)
        if ordinal and part not in vocabulary().concepts:
            return Word(ordinal[1], "number", 40)
    if position and part in _ROMAN:
        return Word(_ROMAN[part], "number", 40)
    concept = vocabulary().concept(part)
    return _plain(part) if concept is None else _meant(concept)


def _plain(part: str) -> Word:
    return Word(part, "word", 2 if len(part) > 3 else 12 if len(part) > 1 else 60)
