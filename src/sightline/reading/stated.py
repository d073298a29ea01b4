"""What a text states beyond its quotes: numbers, sums, dates and names that are in none of them.

Lexical: it finds what was added, and knows nothing of what a sentence means; that is for the verifier.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Final

from sightline.domain.cities import home_of_city
from sightline.domain.countries import REGIONS, country, country_from_text
from sightline.domain.names import fold
from sightline.domain.tables import rows_of
from sightline.reading.legal_forms import LEGAL_FORM
from sightline.reading.money import sums_in
from sightline.reading.months import ENGLISH, MONTHS
from sightline.reading.named import capitalized
from sightline.reading.offices import OFFICE_WORD
from sightline.reading.tokens import stem

_SCALES: Final = {
    "thousand": 1e3, "k": 1e3, "million": 1e6, "millions": 1e6, "m": 1e6, "mn": 1e6, "mm": 1e6,
    "billion": 1e9, "billions": 1e9, "b": 1e9, "bn": 1e9, "trillion": 1e12, "tn": 1e12,
}  # fmt: skip
_PERCENT: Final = ("%", "percent", "per cent", "percentage points", "points")
_DIGITS: Final = r"(?:\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
_UNIT: Final = r"(?:%|percentage points|per ?cent|points|thousand|[mb]illions?|trillion|[mbt]n|mm)"
# A loss in brackets has its unit behind them ("(3.2)%"), a range behind its end ("$2.5 to $2.7 billion").
_FIGURE: Final = re.compile(
    rf"(?P<digits>{_DIGITS})"
    rf"(?:(?:(?:[\s|]?\)\s?|[\s-]?)(?P<unit>{_UNIT})|\s?(?P<letter>[kmb]))(?![^\W_])"
    rf"|(?=(?:\s?[-–—]\s?|\s(?:to|and|or)\s)[$€£¥]?{_DIGITS}[\s-]?(?P<shared>{_UNIT})(?![^\W_])))?",
    re.I,
)
# Digits and capitals joined by a hyphen are a name: a 10-K, an S-1, the A-320.
_DESIGNATION: Final = re.compile(r"\b(?:\d+-[A-Z]{1,3}|[A-Z]{1,3}-\d+)(?:/A)?\b")
# What stands before a number that is part of a name.
_LONGEST_NAME: Final = 60  # characters
_NAMED_NUMBER: Final = re.compile(r"(?<=\W)[A-Z][^\W\d_]*[\s-]$|[^\W_]-?$")
_NUMBER_WORDS: Final = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "fifteen": "15", "twenty": "20",
    "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80",
    "ninety": "90", "hundred": "100", "hundreds": "", "thousands": "", "dozen": "12", "dozens": "",
    "double": "2", "doubled": "2", "doubling": "2", "twice": "2", "triple": "3",
    "tripled": "3", "tripling": "3", "quadrupled": "4", "tenfold": "10",
}  # fmt: skip
_COUNTS: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SCALED: Final = re.compile(
    r"[\s-](?:and\s|hundred|thousand|million|billion|trillion|percent|per\s)", re.I
)
_LISTED: Final = re.compile(r"[,;•]\s|\s(?:and|or|as well as)\s")
_ORDINAL: Final = re.compile(
    r"\b(first|second|third|fourth|[1-4](?:st|nd|rd|th)|q[1-4]|h[12])\b(?=[\s-](?:fiscal "
    r"|calendar )?"
    r"(?:quarter|half)\b|(?<=q\d)|(?<=h\d))",
    re.I,
)
_ORDINALS: Final = {"first": "1", "second": "2", "third": "3", "fourth": "4"}
_WORDS_TOO: Final = ("March", "May")
# They are months where a day, a year or a preposition says so.
_MONTH: Final = re.compile(
    rf"\b({'|'.join(name for name in ENGLISH if name not in _WORDS_TOO)})\b"
    r"|\b(March|May)\b(?=\s\d)|\b(?:in|of|by|since|until|from|during|to)\s(March|May)\b"
)
_ISO_DATE: Final = re.compile(r"\b\d{4}-(\d\d)(?:-\d\d)?\b")
_WORD: Final = re.compile(r"[^\W\d_][\w&’'.-]*", re.U)
_IN_WORD: Final = re.compile(r"(?<=\w)[.&/-](?=\w)")
_SENTENCE_START: Final = re.compile(r"(?:^|[.!?:;][\"”’)\]]*\s+|\n\s*(?:[-•]\s*)?|[“\"(]\s*)$")
_PERIODS: Final = ("FY", "Q", "H")
# Models print typographic marks as plain ones; each stands for one character.
PLAIN: Final = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‑": "-"})
_FORMS_OF_ADDRESS: Final = ("Mr", "Ms", "Mrs")
_OF_THE_UNION: Final = ("U.S", "US")
_LONGEST_CODE: Final = 3  # of a country; most are words, too, or states of the union, but not these
_ABBREVIATED: Final = (*_OF_THE_UNION, "U.K", "UK")
_NAME: Final = r"(?:[A-Z]\.|[A-Z][^\W\d_][\w’'-]*)"
_NAME_RUN: Final = re.compile(rf"{_NAME}(?: {_NAME})*")
_WORDS_OF_NAME: Final = range(2, 5)
_ACRONYM: Final = range(2, 6)  # letters
_LEAST_ROOT: Final = 4  # letters of a stem that a longer one may be derived from
_LONGEST_ENDING: Final = 3


@dataclass(frozen=True, slots=True)
class _Figure:
    shown: str
    amount: float  # in whole units; of percent the number before the sign
    step: float  # of the last digit that is shown
    is_percent: bool
    currency: str | None


def fault(
    text: str, proof: str, *, known: str = "", around: str = "", results: Sequence[float] = ()
) -> str | None:
    """What a text states that its quotes (`proof`) do not; None when nothing.

    `known` are words that need no quote: the company's name, also in its parts ("C3 AI" of "C3.ai"), and the
    organization's own words. `around` is what the quotes stand in: a name that they have in part ("Ms.
    Quell") may be said as it is there ("Marta Quell"). `results` are outcomes of calculations over quoted
    numbers, in whole units or as fractions.
    """
    stated = f"{proof}\n{known}\n{_IN_WORD.sub(' ', known)}"
    if "://" in text or re.search(r"\bwww\.|[\w.+-]+@\w", text):
        return "an address"
    if figure := _added_figure(text, stated, results):
        return f"figure not in its quote: {figure}"
    if date := _added_date(text, stated):
        return f"date not in its quote: {date}"
    if name := _added_name(text, stated, around):
        return f"name not in its quote: {name}"
    return None


def normalized(text: str) -> str:
    """White space as single spaces: how quotes are compared."""
    return " ".join(text.split())


def has_number(text: str) -> bool:
    """Whether a text counts or measures something; a number after a capitalized word ("Section 404") is part
    of a name."""
    plain = _DESIGNATION.sub("  ", text)
    at = (figure.start() for figure in _FIGURE.finditer(plain))
    is_counted = any(not _NAMED_NUMBER.search(plain, max(0, n - _LONGEST_NAME), n) for n in at)
    words = (word for word in _WORD.findall(text) if word.islower())
    return is_counted or bool(sums_in(text)) or any(_bare(word) in _NUMBER_WORDS for word in words)


def _added_figure(text: str, stated: str, results: Sequence[float]) -> str | None:
    known = list(chain.from_iterable(_figures(stated)))
    for readings in _figures(text):
        if not any(_is_result(f, results) or _is_one_of(f, known) for f in readings):
            return readings[0].shown
    words = {_bare(word) for word in _WORD.findall(stated)}
    joined = (word.split("-") for word in words if "-" in word)
    words |= {first for first, *then in joined if not _NUMBER_WORDS.keys() & then}  # "six-month"
    digits = {*re.findall(r"\d+", stated), *(f"{abs(result):.0f}" for result in results)}
    for found in _WORD.finditer(text):
        word = _bare(found[0])
        number = _NUMBER_WORDS.get(word)
        if number is None or word in words or number in digits:
            continue
        if not _counts_a_list(word, text, found.end(), stated):
            return found[0]
    return None


def _counts_a_list(word: str, text: str, end: int, stated: str) -> bool:
    """Whether a small count can be that of what the sentence or its proof lists ("two depots: Lund and
    Ystad"): a list that long stands there. That it lists just these is for the verifier to say."""
    if word not in _COUNTS or _SCALED.match(text, end):
        return False
    longest = max(len(_LISTED.split(each)) for each in (text[end:], *stated.split("\n")))
    return longest >= int(_NUMBER_WORDS[word])


def _figures(text: str) -> Iterator[list[_Figure]]:
    """Each figure; the beginning of a range also as it reads with the unit of the range."""
    text = _ORDINAL.sub("  ", _DESIGNATION.sub("  ", text))
    sums = sums_in(text)
    for found in _FIGURE.finditer(text):
        digits = found["digits"].replace(",", "")
        own = (each.currency for each in sums if each.start <= found.start() < each.end)
        currency, readings = next(own, None), []
        units = [found["unit"] or found["letter"] or "", *filter(None, [found["shared"]])]
        for unit in map(str.casefold, units):
            scale = _SCALES.get(unit, 1.0)
            amount, step = float(digits) * scale, 10.0 ** -len(digits.partition(".")[2]) * scale
            readings.append(_Figure(found[0].strip(), amount, step, unit in _PERCENT, currency))
        yield readings


def _is_one_of(figure: _Figure, known: Sequence[_Figure]) -> bool:
    return any(_is_same(figure, other) for other in known)


def _is_same(figure: _Figure, other: _Figure) -> bool:
    """Whether a figure is a known one: the same, rounded, or a fraction as percent."""
    if figure.currency and other.currency and figure.currency != other.currency:
        return False
    if figure.is_percent != other.is_percent:
        is_fraction = figure.is_percent and 0 < other.amount < 10 and other.step < 1
        return is_fraction and abs(figure.amount - other.amount * 100) <= figure.step / 2 + 1e-9
    if figure.amount == other.amount:
        return True
    # Only amounts and shares are rounded; a year or a count is as it is.
    if figure.step == 1 and not figure.is_percent:
        return False
    room = figure.step / 2
    return other.step < figure.step and abs(figure.amount - other.amount) <= room * (1 + 1e-9)


def _is_result(figure: _Figure, results: Sequence[float]) -> bool:
    """Whether a figure is the outcome of a calculation, rounded to the digits that are shown."""
    room = figure.step / 2 * (1 + 1e-9)
    factors = (1.0, 100.0) if figure.is_percent else (1.0,)
    return any(
        abs(figure.amount - abs(result) * factor) <= room
        for result in results
        for factor in factors
    )


def _added_date(text: str, stated: str) -> str | None:
    known = {MONTHS.get(fold(word)) for word in _WORD.findall(stated)}
    known |= {int(number) for number in _ISO_DATE.findall(stated)}
    for found in _MONTH.findall(text):
        month = next(name for name in found if name)
        if MONTHS[fold(month)] not in known:
            return str(month)
    ordinals = {_ordinal(each) for each in _ORDINAL.findall(stated)}
    return next((each for each in _ORDINAL.findall(text) if _ordinal(each) not in ordinals), None)


def _ordinal(written: str) -> str:
    """'3' of "third", "3rd" and "Q3"."""
    low = written.casefold()
    return _ORDINALS.get(low) or low.strip("qhstndr")


def _added_name(text: str, stated: str, around: str) -> str | None:
    """A word in capitals that stands nowhere in the proof. The first word of a sentence has a capital
    whatever it is: only the verifier can tell whether it is a name."""
    if added := set(_DESIGNATION.findall(text)) - set(_DESIGNATION.findall(stated)):
        return str(min(added))
    words = _Words.of(_joined(stated))
    text = _DESIGNATION.sub(" ", _joined(text))
    # The currency of a sum is a figure's.
    skipped = [range(each.start, each.end) for each in sums_in(text)] + words.spelled_out(text)
    for found in _WORD.finditer(text):
        shown = found[0].rstrip(".-’'")
        if any(found.start() in span for span in skipped) or words.have(shown):
            continue
        if _may_be_name(shown, text[: found.start()]) and not (
            _goes_with_name(shown, text[found.end() :], words)
            or _lengthens_name(shown, found.start(), text, around, words)
            or _is_fuller_name(found.start(), text, around, words)
            or _is_of_place(shown, stated)
        ):
            return str(shown)
    return None


def _goes_with_name(word: str, after: str, words: "_Words") -> bool:
    """Whether a word only says how to address the person, or of which country the institution is, whose name
    follows and stands in the proof: "Ms. Quell", "the U.S. Supreme Court"."""
    following = _NAME_RUN.match(after.lstrip(". "))
    name = following[0] if following else ""
    if word in _FORMS_OF_ADDRESS:
        return bool(name) and words.have(name.split()[0])
    is_spelled_out = any(each.start == 0 for each in words.spelled_out(after.lstrip(". ")))
    return word in _OF_THE_UNION and (
        is_spelled_out or (" " in name and name.casefold() in words.folded)
    )


def _lengthens_name(word: str, start: int, text: str, around: str, words: "_Words") -> bool:
    """Whether a word goes with words of the proof and tells no one apart: a legal form, a word of an office
    ("Chief Executive Officer" of "chief executive"), or one that the surroundings have without a capital:
    "the Acme Cloud platform" of Acme and its cloud."""
    run = next((each[0] for each in _NAME_RUN.finditer(text) if start in range(*each.span())), "")
    before = text[:start].rstrip(" ,").rpartition(" ")[2]
    if LEGAL_FORM.fullmatch(word):
        return words.name(before)
    if OFFICE_WORD.fullmatch(word):
        return any(OFFICE_WORD.fullmatch(each) and words.have(each) for each in run.split())
    is_plain = stem(_bare(word)) in {stem(each) for each in _WORD.findall(around) if each.islower()}
    return is_plain and any(map(words.name, run.split()))


def _is_fuller_name(start: int, text: str, around: str, words: "_Words") -> bool:
    """Whether a name is written as it stands around the quotes, which have its first or last word: "Marta
    Quell" of "Ms. Quell". Of two who share what the quotes have it could be either."""
    run = _NAME_RUN.match(text, start)
    named = set(run[0].split()) if run else set()
    fuller = {tuple(found[0].split()) for found in _NAME_RUN.finditer(around)}
    for name in fuller:
        shared = set(filter(words.name, name))
        is_known = bool(named) and named <= set(name) and bool({name[0], name[-1]} & shared)
        rivals = [other for other in fuller if shared <= set(other) and not set(other) <= set(name)]
        if is_known and len(name) in _WORDS_OF_NAME and not rivals:
            return True
    return False


def _is_of_place(word: str, stated: str) -> bool:
    """Whether a word says in another way where a country or a city is that the proof names: "French" of
    France, France of "French", "European" of "Lisbon and Oslo"."""
    own, called = stem(_bare(word)), country_from_text(word)
    said = f"\n{stated}"  # its first word is one too
    names = [said[start:end] for start, end in capitalized(said)]
    names += [each.rstrip(".") for name in names for each in name.split()]
    if called and called.name == word:
        return any(called.alpha2 in _nations().get(name, ()) for name in names)
    heads = ((each, stem(_bare(each.split()[0]))) for each in REGIONS)
    places = {str(each) for each, head in heads if own == head or _is_derived(own, head)}
    return not _places(names).isdisjoint(places.union(_nations().get(word, ())))


def _places(names: Sequence[str]) -> set[str | None]:
    """Codes and regions of the countries and cities among names."""
    found = [country_from_text(n) for n in names if len(n) > _LONGEST_CODE or n in _ABBREVIATED]
    found += [country(home.country_code) for home in map(home_of_city, names) if home]
    return {part for each in found if each for part in (each.alpha2, each.region)}


@cache
def _nations() -> Mapping[str, Sequence[str]]:
    """Codes of the countries of which something is, by what it is called: "French"."""
    return {row["name"]: row["countries"].split("|") for row in rows_of("demonyms.tsv")}


def _joined(text: str) -> str:
    """ "R & D" as "R&D"."""
    return "&".join(part.strip() for part in text.split("&"))


def _may_be_name(word: str, before: str) -> bool:
    """Whether a word with a capital is neither part of a figure nor the plain beginning of a sentence."""
    low = _bare(word)
    is_period = word[-1:].isdigit() and word.rstrip("0123456789") in _PERIODS  # of figures
    is_unit = before[-1:].isdigit() and word.casefold() in _SCALES
    if word.islower() or is_period or is_unit or low in _NUMBER_WORDS or fold(low) in MONTHS:
        return False
    is_plain = word[1:].islower() or len(word) == 1
    is_addressed = before.rstrip(". ").endswith(_FORMS_OF_ADDRESS)
    return is_addressed or not (is_plain and _SENTENCE_START.search(before))


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a proof: folded, by their stems, the stems of those with a capital, and what is
    abbreviated to capitals."""

    folded: str
    stems: frozenset[str]
    names: frozenset[str]
    acronyms: frozenset[str]

    @classmethod
    def of(cls, text: str) -> "_Words":
        words = _WORD.findall(text)
        acronyms = (word.replace(".", "").replace("&", "") for word in words)
        return cls(
            text.casefold(),
            frozenset(stem(_bare(word)) for word in words),
            frozenset(stem(_bare(word)) for word in words if word[0].isupper()),
            frozenset(word for word in acronyms if _is_acronym(word)),
        )

    def name(self, word: str) -> bool:
        """Whether a word stands here with a capital."""
        return stem(_bare(word)) in self.names

    def have(self, word: str) -> bool:
        """Whether a word stands here in some form: "iPhones" of "iPhone", "European" of "Europe", "AI" of
        "artificial intelligence"; of a compound ("Nordic-based") every part with a capital."""
        own, letters = stem(_bare(word)), word.replace("&", "").replace(".", "")
        if own in self.stems or f" {_bare(word)} " in self.folded:
            return True
        if any(_is_derived(own, name) for name in self.names):
            return True
        if _is_acronym(letters) and re.search(_initials(letters), self.folded):
            return True
        parts = [part for part in word.replace("&", "-").split("-") if part]
        return len(parts) > 1 and all(part.islower() or self.have(part) for part in parts)

    def spelled_out(self, text: str) -> list[range]:
        """Where a text spells out what is abbreviated here: "United States" of "U.S."."""
        return [
            range(*found.span())
            for letters in self.acronyms
            for found in re.finditer(_initials(letters), text, re.I)
        ]


def _initials(letters: str) -> str:
    """A pattern for words in a row that begin with the letters."""
    words = (rf"{letter}\w+" for letter in letters.casefold())
    return r"\b" + r"(?:[\s-]+|&|\s+and\s+)".join(words)


def _is_derived(one: str, other: str) -> bool:
    """Whether one stem is another with an ending: europ and european."""
    short, long = sorted((one, other), key=len)
    is_ending = 0 < len(long) - len(short) <= _LONGEST_ENDING
    return is_ending and len(short) >= _LEAST_ROOT and long.startswith(short)


def _is_acronym(word: str) -> bool:
    return len(word) in _ACRONYM and word.isascii() and word.isalpha() and word.isupper()


def _bare(word: str) -> str:
    return word.casefold().rstrip(".-’'").removesuffix("'s").removesuffix("’s")
