"""What a model may say of a quote: only figures, dates and names that stand in it, and not the opposite.

Stricter than what composed statements are held to, because a model can say anything. Lexical: it proves
that nothing was added, and finds a rise told as a fall, a "not" that nobody said, a "could" told as a
"will" and talk of the passages themselves; subtler turns of meaning it cannot tell.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

_SCALES: Final = {
    "thousand": 1e3, "k": 1e3, "million": 1e6, "millions": 1e6, "m": 1e6, "mn": 1e6, "mm": 1e6,
    "billion": 1e9, "billions": 1e9, "b": 1e9, "bn": 1e9, "trillion": 1e12, "tn": 1e12,
}  # fmt: skip
_PERCENT: Final = ("%", "percent", "per cent", "percentage points", "points")
_CURRENCIES: Final = {
    "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "usd": "USD", "eur": "EUR", "euro": "EUR",
    "euros": "EUR", "gbp": "GBP", "pounds": "GBP", "jpy": "JPY", "yen": "JPY", "dollars": "USD",
    "chf": "CHF",
}  # fmt: skip
_FIGURE: Final = re.compile(
    r"(?P<before>[$€£¥]|\b(?:usd|eur|gbp|jpy|chf)\s?)?\s?(?P<digits>\d+(?:,\d{3})+(?:\.\d+)?"
    r"|\d+(?:\.\d+)?)"
    r"(?:[\s-]?(?P<unit>%|percentage points|percent|per cent|points|thousand|millions?|billions?"
    r"|trillion"
    r"|mn|mm|bn|tn|[kmb])(?![^\W_]))?(?:\s(?P<after>usd|eur|euros?|gbp|pounds|jpy|yen|chf"
    r"|dollars))?",
    re.I,
)
_NUMBER_WORDS: Final = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "fifteen": "15", "twenty": "20",
    "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80",
    "ninety": "90", "hundred": "100", "hundreds": "", "thousands": "", "dozen": "12", "dozens": "",
    "half": "50", "double": "2", "doubled": "2", "doubling": "2", "twice": "2", "triple": "3",
    "tripled": "3", "tripling": "3", "quadrupled": "4", "tenfold": "10",
}  # fmt: skip
_ORDINAL: Final = re.compile(
    r"\b(first|second|third|fourth|[1-4](?:st|nd|rd|th)|q[1-4]|h[12])\b(?=[\s-](?:fiscal "
    r"|calendar )?"
    r"(?:quarter|half)\b|(?<=q\d)|(?<=h\d))",
    re.I,
)
_MONTHS: Final = (
    "january february march april may june july august september october november december"
).split()
# "May" and "March" are months where a day, a year or a preposition says so.
_MONTH: Final = re.compile(
    r"\b(January|February|April|June|July|August|September|October|November|December)\b"
    r"|\b(March|May)\b(?=\s\d)|\b(?:in|of|by|since|until|from|during|to)\s(March|May)\b"
)
_ISO_DATE: Final = re.compile(r"\b\d{4}-(\d\d)(?:-\d\d)?\b")
_WORD: Final = re.compile(r"[^\W\d_][\w&’'.-]*", re.U)
_SENTENCE_START: Final = re.compile(r"(?:^|[.!?:;][\"”’)\]]*\s+|\n\s*(?:[-•]\s*)?|[“\"(]\s*)$")
_PERIOD: Final = re.compile(r"(?:FY|Q|H)\d+")
_POSSESSIVE: Final = re.compile(r"[’']s?$")
_SHORTEST_STEM: Final = 4
_ENDINGS: Final = re.compile(r"(?:ations?|ization|ings?|ies|ments?|ed|ers?|es|ly|s|e|y)$")
# Words that begin sentences and name nothing.
_OPENERS: Final = frozenset(
    """a about above accelerate accelerating according across additional address adopt adopting
    after all along also although american an and annual any are as at automate automating back
    based be because before below better beyond both broaden broadening build building business but
    by can capital challenge changes changing committed company competition competitive continued
    continuing corporate cost costs could current customer customers data deepen deepening defend
    delay delays demand dependence dependent depends despite develop developing did digital
    disruption diversify diversifying do does during each earnings economic either emerging enhance
    enhancing enter entering every exit expand expanding expansion exposure extend extending failure
    faster few financial first focus focusing for from further gain global goal goals greater gross
    grow growing growth has have he her here high higher his how if improve improving in increase
    increased increasing industry initiative innovation international into invest investing
    investment is it its keep key large last launch launching leader leading less limited long loss
    losses lower main maintain maintaining make making management many margin market modernize
    modernizing more most much need net new next no not now objective of offer offering offerings on
    once one only open opening operating operations opportunity other our over overall part partner
    partnering people plan planned plans potential pressure pricing priority product products profit
    profitability progress protect pursue pursuing raise raising recent reduce reducing regulation
    regulatory reliance relies research retain retaining revenue revenues risk risks sales scale
    scaling second seek segment sell selling service services several she shift shortage should
    simplify since so some spending stay strategic strategy streamline strength strengthen
    strengthening strong such supply support supporting sustain technology than that the their them
    then there these they third this those through to total transform transforming under until up
    use using value we weak weakness what when where whether which while who whose why will with
    within would year yes you your""".split()
)


# A refusal, or talk of what was shown, in the place of a statement.
_OF_ITSELF: Final = re.compile(
    r"\bas an? (?:AI|language model|assistant)\b|\bI(?:[’']m| am)? (?:sorry|unable|cannot"
    r"|can[’']t|apologi[sz]e)\b"
    r"|\b(?:cannot|can[’']t|unable to) (?:answer|assist|comply|determine|help with)\b"
    r"|\b(?:provided|given|shown|above) (?:passages?|evidence|excerpts?|quotes?|context|text)\b"
    r"|\bthe (?:passages?|excerpts?)\b",
    re.I,
)
_UP: Final = re.compile(
    r"\b(?:increas\w*|grew|grow(?:s|n|th|ing)?|rose|ris(?:e|es|en|ing)|higher|up|gain\w*|climb\w*|jump\w*)\b",
    re.I,
)
_DOWN: Final = re.compile(
    r"\b(?:decreas\w*|declin\w*|fell|fall(?:s|en|ing)?|drop\w*|lower|down|shr[aiu]nk\w*|slump\w*)\b",
    re.I,
)
_NOT: Final = re.compile(
    r"\b(?:not|never|neither|nor|cannot|without)\b|n[’']t\b|\bno\b(?!\.)(?! (?:longer|matter|doubt)\b)",
    re.I,
)
_NOT_OF_PROOF: Final = re.compile(
    r"\b(?:no|not|never|none|neither|nor|cannot|without|lacks?|lacking|fail\w*|unable|free of"
    r"|avoid\w*|ceas\w+"
    r"|stop\w*|exclud\w+|prevent\w*|few|little|nothing|nobody|inability|absence|discontinu\w+"
    r"|un\w+ed)\b|n[’']t\b",
    re.I,
)
_WILL: Final = re.compile(r"\bwill\b", re.I)
_COULD: Final = re.compile(r"\b(?:may|might|could|would)\b", re.I)
_PLANNED: Final = re.compile(
    r"\b(?:will|shall|plan\w*|intend\w*|expect\w*|aim\w*|target\w*|goal|going to|scheduled"
    r"|commit\w*|begin\w*"
    r"|start\w*|anticipat\w+|continu\w+)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class _Figure:
    shown: str
    amount: float  # in whole units; of percent the number before the sign
    step: float  # of the last digit that is shown
    is_percent: bool
    currency: str | None


def fault(
    text: str, proof: str, *, known: str = "", is_ordinary: Callable[[str], bool] = lambda _: False
) -> str | None:
    """What a text says beyond its quotes; None when it says nothing more.

    `known` are words that need no quote: the company's name, the organization's own words.
    `is_ordinary` tells of a word that begins a sentence whether it is one of the language.
    """
    held = f"{proof}\n{known}"
    if "://" in text or re.search(r"\bwww\.|[\w.+-]+@\w", text):
        return "an address"
    if figure := _loose_figure(text, held):
        return f"figure not in its quote: {figure}"
    if date := _loose_date(text, held):
        return f"date not in its quote: {date}"
    if name := _loose_name(text, held, is_ordinary):
        return f"name not in its quote: {name}"
    about = _OF_ITSELF.search(text)
    if about is not None and about[0].casefold() not in held.casefold():
        return f"about itself or the evidence: {about[0]}"
    return _turn(text, proof)


def _turn(text: str, proof: str) -> str | None:
    """How a text turns its quotes around; None when it does not show."""
    if _FIGURE.search(text):
        for said, other in ((_UP, _DOWN), (_DOWN, _UP)):
            told = said.search(text) and not other.search(text)
            if told and other.search(proof) and not said.search(proof):
                return "a rise or fall turned around"
    if _NOT.search(text) and not _NOT_OF_PROOF.search(proof):
        return "a denial that is not in its quote"
    if _WILL.search(text) and _COULD.search(proof) and not _PLANNED.search(proof):
        return "a possibility told as certain"
    return None


def _loose_figure(text: str, held: str) -> str | None:
    known = list(_figures(held))
    for figure in _figures(text):
        if not any(_is_same(figure, other) for other in known):
            return figure.shown
    words = {_bare(word) for word in _WORD.findall(held)}
    digits = set(re.findall(r"\d+", held))
    for word in _WORD.findall(text):
        number = _NUMBER_WORDS.get(_bare(word))
        if number is not None and _bare(word) not in words and number not in digits:
            return str(word)
    return None


def _figures(text: str) -> Iterator[_Figure]:
    for found in _FIGURE.finditer(text):
        digits, unit = found["digits"].replace(",", ""), (found["unit"] or "").casefold()
        scale = _SCALES.get(unit, 1.0)
        mark = (found["before"] or found["after"] or "").strip().casefold()
        yield _Figure(
            found[0].strip(),
            float(digits) * scale,
            10.0 ** -len(digits.partition(".")[2]) * scale,
            unit in _PERCENT,
            _CURRENCIES.get(mark),
        )


def _is_same(told: _Figure, held: _Figure) -> bool:
    """Whether a figure is one that is held: the same, rounded, or a fraction as percent."""
    if told.currency and held.currency and told.currency != held.currency:
        return False
    if told.is_percent != held.is_percent:
        is_fraction = told.is_percent and 0 < held.amount < 10 and held.step < 1
        return is_fraction and abs(told.amount - held.amount * 100) <= told.step / 2 + 1e-9
    if told.amount == held.amount:
        return True
    # Only amounts and shares are rounded; a year or a count is as it is.
    if told.step == 1 and not told.is_percent:
        return False
    room = told.step / 2
    return held.step < told.step and abs(told.amount - held.amount) <= room * (1 + 1e-9)


def _loose_date(text: str, held: str) -> str | None:
    known = {name.casefold() for found in _MONTH.findall(held) for name in found if name}
    known |= {_MONTHS[int(n) - 1] for n in _ISO_DATE.findall(held) if 1 <= int(n) <= 12}
    short = {word.casefold().rstrip(".") for word in _WORD.findall(held)}
    for found in _MONTH.findall(text):
        month = next(name for name in found if name).casefold()
        if month not in known and month[:3] not in short:
            return str(month.title())
    ordinals = {each.casefold() for each in _ORDINAL.findall(held)}
    for each in _ORDINAL.findall(text):
        if each.casefold() not in ordinals:
            return str(each)
    return None


def _loose_name(text: str, held: str, is_ordinary: Callable[[str], bool]) -> str | None:
    folded = held.casefold()
    words = {_bare(word) for word in _WORD.findall(held)}
    stems = {_stem(word) for word in words}
    for found in _WORD.finditer(text):
        shown = found[0].rstrip(".-’'")
        if shown.islower() or not any(letter.isupper() for letter in shown):
            continue
        if text[found.start() - 1 : found.start()].isdigit() and shown.casefold() in _SCALES:
            continue  # the unit of a figure
        if _PERIOD.fullmatch(shown):
            continue  # its digits are figures
        word = _bare(shown)
        if word in words or f" {word} " in folded or _is_compound(word, words):
            continue
        if _is_acronym(shown, folded):
            continue
        begins = _SENTENCE_START.search(text[: found.start()]) is not None
        plain = shown[1:].islower() or len(shown) == 1
        if begins and plain and (word in _OPENERS or _stem(word) in stems or is_ordinary(word)):
            continue
        if word in _NUMBER_WORDS or word in _MONTHS or word == "i":
            continue
        return str(shown)
    return None


def _bare(word: str) -> str:
    return _POSSESSIVE.sub("", word.casefold().rstrip(".-’'"))


def _stem(word: str) -> str:
    shorter = _ENDINGS.sub("", word)
    return shorter if len(shorter) >= _SHORTEST_STEM else word


def _is_compound(word: str, words: set[str]) -> bool:
    """'Nordic-based', 'R&D': every part is held, or plainly no name."""
    parts = [part for part in re.split(r"[-&]", word) if part]
    return len(parts) > 1 and all(part in words or part in _OPENERS for part in parts)


def _is_acronym(word: str, folded: str) -> bool:
    """Whether capitals are the first letters of words that follow each other: AI, SaaS not."""
    if not (2 <= len(word) <= 5 and word.isalpha() and word.isupper()):
        return False
    initials = r"[\s-]+".join(rf"{re.escape(letter)}\w+" for letter in word.casefold())
    return re.search(rf"\b{initials}", folded) is not None
