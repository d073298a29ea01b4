"""Company names: folding, search text, identity keys and sort order.

Three forms of one name serve three purposes. ``fold`` is what a person would call the same letters,
``search_text`` what a search over names reads, ``name_key`` what two records of one company share.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from sightline.domain.casing import clean_text as clean_text
from sightline.domain.casing import tidy_name as tidy_name
from sightline.domain.tables import toml_table, word_set

MAX_WORD_STARTS = 8
"""Word starts of one name that get a squeezed line; longer names are still found by substring."""

# Letters that are no letter plus accent in Unicode, but are typed without the stroke or ligature.
_LETTERS = str.maketrans(
    {
        "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ĸ": "k", "ł": "l", "ŋ": "n", "ŧ": "t",
        "ƒ": "f", "ƶ": "z", "ɨ": "i", "ə": "e", "æ": "ae", "œ": "oe", "þ": "th",
    }
)  # fmt: skip

_INSIDE_WORDS = "'.’‘‛ʼʻʹˈ`´＇′․｡"
_BEFORE_NFKD = str.maketrans({**dict.fromkeys(_INSIDE_WORDS, ""), **dict.fromkeys("™℠®©", " ")})

# Punctuation inside words vanishes, other punctuation parts words.
_VANISHES = b"'.`"
_ASCII = bytes(ord(chr(code).lower()) if chr(code).isalnum() else 32 for code in range(256))

# Accents of Latin, Greek and Cyrillic, Hebrew points, Arabic vowel marks and joining controls:
# optional in writing. Marks of other scripts (Indic vowels, Thai tones) are letters to a reader.
_OPTIONAL_MARKS = re.compile(
    "[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f"
    "\u0591-\u05bd\u05bf-\u05c7\u0640\u064b-\u065f\u0670\u00ad\u200b-\u200f\u2060\ufeff]"
)
_KEPT_CATEGORIES = frozenset("LNM")


def fold(text: str) -> str:
    """The letters and digits of a text: no case, accents or punctuation, words one space apart.

    ``&`` reads "and"; apostrophes and full stops vanish, all other punctuation parts words. Every
    script keeps its letters. Only a text without any letter or digit folds to "".
    """
    if text.isascii():
        return _fold_ascii(text)
    folded = _fold_once(text)
    # Compatibility forms may open up into new punctuation or capitals; a second round settles them.
    return folded if folded.isascii() else _fold_once(folded)


def _fold_ascii(text: str) -> str:
    plain = text.replace("&", " and ").encode().translate(_ASCII, _VANISHES)
    return b" ".join(plain.split()).decode()


def _fold_once(text: str) -> str:
    opened = unicodedata.normalize("NFKD", text.translate(_BEFORE_NFKD).casefold()).casefold()
    opened = unicodedata.normalize("NFKD", opened).translate(_LETTERS).translate(_BEFORE_NFKD)
    bare = unicodedata.normalize("NFC", _OPTIONAL_MARKS.sub("", opened).replace("&", " and "))
    if bare.isascii():
        return _fold_ascii(bare)
    kept = [c if unicodedata.category(c)[0] in _KEPT_CATEGORIES else " " for c in bare]
    return " ".join("".join(kept).split())


@dataclass(frozen=True, slots=True)
class SearchTerms:
    """A folded query: ``spaced`` is looked for anywhere, ``squeezed`` at the start of a line."""

    spaced: str
    squeezed: str

    @property
    def empty(self) -> bool:
        """True when the query held no letter and no digit; such a query matches nothing."""
        return not self.squeezed


def search_terms(query: str) -> SearchTerms:
    """Fold a query; the word "and" is dropped, so that "&", "and" and nothing find each other."""
    words = _without_and(fold(query).split())
    return SearchTerms(spaced=" ".join(words), squeezed="".join(words))


def search_text(names: Sequence[str], domain: str | None = None) -> str:
    """The text a name search reads: lines, each led by a newline, without duplicates.

    For each name: its words with and without "and"; then, from each of its first eight word starts,
    the remainder without spaces. So "at t", "AT&T" and "ATT" find each other, as do "jpmorgan" and
    "J.P. Morgan". The domain is one more name. No letters at all: "".
    """
    lines: dict[str, None] = {}
    for name in (*names, domain or ""):
        words = fold(name).split()
        if not words:
            continue
        bare = _without_and(words)
        for form in (words, bare) if len(bare) != len(words) else (words,):
            lines[" ".join(form)] = None
            rest = "".join(form)
            for word in form[:MAX_WORD_STARTS]:
                lines[rest] = None
                rest = rest[len(word) :]
    return "".join(f"\n{line}" for line in lines)


def _without_and(words: list[str]) -> list[str]:
    return [word for word in words if word != "and"] or words


def sort_key(name: str) -> str:
    """The form names are ordered by: folded, so leading punctuation is gone; "The" counts."""
    return fold(name) or " ".join(name.split()).casefold()


_TRADE_NAME = re.compile(
    r"(?:^|(?<![\s,;(])[\s,;(]++)"
    r"(?:(?:c\s?/\s?)?d\s?[/.]\s?b\s?[/.]\s?a\.?|dba|d b a|doing business as|t/a|trading as)"
    r"(?:[\s:,]+|$)",
    re.IGNORECASE,
)


def split_dba(name: str) -> tuple[str, str | None]:
    """Part "ACME INC DBA FOO" into the legal name and the trade name; without "DBA", (name, None).

    When nothing stands before the mark, the trade name is also the legal one.
    """
    found = _TRADE_NAME.search(name)
    if found is None:
        return name.strip(), None
    legal, trade = name[: found.start()].strip(" ,;("), name[found.end() :].strip(" ,;")
    if trade.endswith(")") and "(" not in trade:
        trade = trade[:-1].rstrip()
    if not fold(trade):
        return (legal or name.strip()), None
    return (legal, trade) if fold(legal) else (trade, None)


_CJK_LEGAL = re.compile(
    "株式会社|有限会社|合同会社|股份有限公司|有限责任公司|有限公司|주식회사|유한회사|[㈱㈜]"
)
_SPA = re.compile(r"(?:^|(?<=\s))(?:S\.\s?[pP]\.\s?A\.?|SpA)(?=\s|$)")
_SPELLED = re.compile(r"\b[a-z](?: [a-z]\b)+", re.ASCII)
_FORMS = "legal_forms.toml"
_LONGEST_NAME = 1000  # characters; pages and lists hold longer ones only by mistake or malice


@lru_cache(maxsize=4096)
def name_key(name: str) -> str:
    """What identifies the company in a name: folded, without "The" and trailing legal forms.

    "The Boeing Company", "BOEING CO" and "Boeing, L L C" share one key; of "X DBA Y" it is X.
    Never empty for a name that is not blank: a mere legal form, or mere punctuation, stays. What is
    longer than any name is read by its beginning.
    """
    legal, _ = split_dba(name.strip()[:_LONGEST_NAME])
    bare = _SPA.sub(" ", legal)
    folded = fold(bare if bare.isascii() else _CJK_LEGAL.sub(" ", bare)) or fold(legal)
    # Registers part initials: "L L C" is LLC, "U S A" is USA.
    words = _SPELLED.sub(lambda run: run[0].replace(" ", ""), folded).split()
    if not words:
        return " ".join(name.split()).casefold()[:_LONGEST_NAME]
    kept = _drop_legal_forms(words)
    for dropped in (word_set(_FORMS, "leading"), frozenset({"the"})):
        if len(kept) > 1 and kept[0] in dropped:
            kept = kept[1:]
    return " ".join(kept)


def _drop_legal_forms(words: list[str]) -> list[str]:
    kept = words
    while True:
        size = _legal_tail(kept)
        # "The Limited" and "The Company" are names: an article alone is none.
        if size == 0 or kept[: len(kept) - size] in ([], ["the"]):
            return kept
        kept = kept[: len(kept) - size]


def _legal_tail(words: list[str]) -> int:
    """How many of the last words are one legal form; 0 for none."""
    for phrase in _legal_phrases().get(words[-1], ()):
        if tuple(words[-len(phrase) :]) == phrase:
            return len(phrase)
    trailing = word_set(_FORMS, "trailing")
    if words[-1] in trailing:
        return 1
    return 0


@cache
def _legal_phrases() -> dict[str, tuple[tuple[str, ...], ...]]:
    """Legal forms of several words by their last word, longest first."""
    phrases = sorted(
        (tuple(p.split()) for p in toml_table(_FORMS)["phrases"]), key=len, reverse=True
    )
    return {last: tuple(p for p in phrases if p[-1] == last) for last in {p[-1] for p in phrases}}


def distinct_names(names: Iterable[str]) -> list[str]:
    """The names in order, each once: later ones that fold to a form already seen are dropped."""
    seen: dict[str, str] = {}
    for name in names:
        tidy = clean_text(name)
        if tidy:
            seen.setdefault(sort_key(tidy), tidy)
    return list(seen.values())
