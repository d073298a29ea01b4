"""Whether a sentence is complete, understandable by itself, and whom it is about, from its words."""

import re
from dataclasses import dataclass
from typing import Final

from sightline.reading.dates import days_in
from sightline.reading.months import MONTHS
from sightline.reading.stated import has_number

SHORTEST: Final = 35
LONGEST: Final = 480
_FEWEST_WORDS: Final = 6
_MOST_OPENING: Final = 60  # characters before the comma of "In fiscal 2026, we …"

_BEGINS: Final = re.compile(r"[\"“‘]?[A-Z0-9À-Þ$€£]")
_ENDS: Final = re.compile(r"[.!?。！？][\"”’»」』)]{0,2}$")
WORD: Final = re.compile(r"[^\W\d_][\w’'&-]*")
_SMALL: Final = re.compile(r"\b[a-z][a-z-]+\b")
# Capitals in the middle of a sentence: "of Larkspur", "our ColdPilot".
_CAPITALS: Final = re.compile(r"(?<=[a-z0-9,;] )[A-Z][\w&’'-]*[\w]")
# "Industry Outlook The market grew": a heading that ran into its sentence.
_RUNS_IN: Final = re.compile(r"(?<=[^\W\d_] )(?:The|We|Our|In|As)(?= [a-z])")
_MARKUP: Final = re.compile(r"=[\"“”]|\.\.\.$|…$")
# "see “Competition” in Item 1": points to another part of the document.
_POINTS_ON: Final = re.compile(
    r"\b(?:see|refer to|set forth in|included in)\b.{0,80}?"
    r"(?:[“\"]|\b(?:item|note|part|section|exhibit)s?\b)",
    re.I,
)
# A sentence that begins so needs the one before it.
_POINTS_BACK: Final = frozenset(
    "this these those such that they their it its he she his her however moreover furthermore"
    " additionally accordingly therefore thus consequently similarly conversely there then and but or"
    " also both each neither other others another".split()
)
_DEMONSTRATIVES: Final = frozenset(("this", "these", "those", "such"))
_OPENING: Final = 80  # characters
_MOST_OPENING_WORDS: Final = 7
_LINKS: Final = (
    "in addition",
    "as a result",
    "for example",
    "no other ",
    "as such",
    "in contrast",
    "in particular",
    "the increase ",
    "the increases ",
    "the decrease ",
    "the decreases ",
)
_POSSIBLE: Final = frozenset(("could", "may", "might", "would", "can"))
_OURS: Final = frozenset(("we", "our", "us"))
_THE_COMPANY: Final = ("the company", "the group", "the corporation", "the bank", "the partnership")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text: those in small letters, and those in capitals amid sentences."""

    small: frozenset[str]
    capitals: frozenset[str]

    def is_name(self, word: str) -> bool:
        """Whether a word is only ever written with a capital, and is no month."""
        plain = word.rstrip("’'").removesuffix("’s").removesuffix("'s")
        folded = plain.casefold()
        return plain[:1].isupper() and folded not in self.small and folded not in MONTHS


def words_of(text: str) -> Words:
    """The words of a text by how they are written."""
    return Words(frozenset(_SMALL.findall(text)), frozenset(_CAPITALS.findall(text)))


def is_whole(text: str) -> bool:
    """Whether a text is one whole sentence in words, of readable length, and no cross-reference."""
    if not SHORTEST <= len(text) <= LONGEST or not _BEGINS.match(text) or not _ENDS.search(text):
        return False
    if any(text.count(opened) != text.count(closed) for opened, closed in ("“”", "()")):
        return False
    if any(pattern.search(text) for pattern in (_POINTS_ON, _RUNS_IN, _MARKUP)):
        return False
    words = WORD.findall(text)
    shouted = sum(word.isupper() and len(word) > 1 for word in words)
    is_prose = sum(map(len, words)) >= 0.6 * len(text.replace(" ", ""))
    return is_prose and len(words) >= _FEWEST_WORDS and shouted <= len(words) / 2


def has_sentence(text: str) -> bool:
    """Whether a line of a text ends as sentences do; headings, rows of tables and signatures do not."""
    return any(_ENDS.search(line.rstrip()) for line in text.split("\n"))


def stands_alone(text: str) -> bool:
    """Whether a sentence is understood without the one before it, by the words that it begins with."""
    first = WORD.match(text.lstrip('"“‘'))
    opening = [word.casefold() for word in WORD.findall(text[:_OPENING])]
    if first is not None and opening[0] in _POINTS_BACK:
        return False
    if _DEMONSTRATIVES & set(opening[:_MOST_OPENING_WORDS]):
        return False
    opening_words, _, rest = text.casefold().partition(", ")
    is_short = len(opening_words) <= _MOST_OPENING
    return not text.casefold().startswith(_LINKS) and not (is_short and rest.startswith(_LINKS))


def points_back(text: str) -> bool:
    """Whether a sentence has a "this" or "such" anywhere in it."""
    return bool(_DEMONSTRATIVES & {word.casefold() for word in WORD.findall(text)})


def speaks_of(text: str, company: str) -> bool:
    """Whether a sentence has "we", "the Company" or the first word of its name in it."""
    found = WORD.findall(text)
    words = {word.casefold().replace("’", "'").removesuffix("'s") for word in found}
    own = WORD.match(company)
    is_named = own is not None and own[0].casefold() in words
    is_ours = any(map(_is_ours, found))
    return is_named or is_ours or any(each in text.casefold() for each in _THE_COMPANY)


def _is_ours(word: str) -> bool:
    """Whether a word is "we" or its kind; "US" is a country."""
    return word.casefold() in _OURS and not word.isupper()


def begins_with_name(text: str, company: str) -> bool:
    """Whether a text begins with the first word of a company's name."""
    own = WORD.match(company)
    size = len(own[0]) if own is not None else 0
    is_same = own is not None and text[:size].casefold() == own[0].casefold()
    return is_same and not text[size : size + 1].isalnum()


def is_own(text: str, words: Words, company: str) -> bool:
    """Whether a sentence begins with the company, "we" or a name, at once or behind a short opening; `words`
    are those of its document."""
    if not stands_alone(text):
        return False
    opening, comma, rest = text.partition(", ")
    heads = [text, rest] if comma and len(opening) <= _MOST_OPENING else [text]
    return any(_begins_own(head, words, company) for head in heads)


def _begins_own(text: str, words: Words, company: str) -> bool:
    first = WORD.match(text)
    if first is None:
        return False
    word = first[0].replace("’", "'").partition("'")[0]  # "We’re"
    if _is_ours(word) or text.casefold().startswith(_THE_COMPANY):
        return True
    return begins_with_name(text, company) or (word in words.capitals and words.is_name(word))


def names_in(text: str, words: Words, company: str) -> list[str]:
    """Words of a sentence that are names, the company's own left out, in order; `words` are those of its
    document."""
    own = {word.casefold() for word in WORD.findall(company)}
    found = [word for word in _CAPITALS.findall(text) if words.is_name(word)]
    return [word for word in dict.fromkeys(found) if word.casefold() not in own]


def states_fact(text: str) -> bool:
    """Whether a sentence tells more than that something could be: how many, how much, or when."""
    return not is_possible(text) and (has_number(text) or bool(days_in(text)))


def is_possible(text: str) -> bool:
    """Whether a sentence tells what could be."""
    return bool(_POSSIBLE & {word.casefold() for word in WORD.findall(text)})
