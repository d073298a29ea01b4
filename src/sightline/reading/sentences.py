"""Splits a text into sentence spans, in linear time.

A stop ends a sentence unless what stands before it is an abbreviation, an initial or a list number,
or what follows goes on in small letters. Languages with capitals and those without are both read.
"""

import re
from typing import Final

from sightline.domain.names import fold
from sightline.reading.months import MONTHS

_STOPS: Final = ".!?…\u0964\u061f\u06d4"
_CLOSERS: Final = "\"'”’“»)\\]」』*"
_SPACE: Final = r"[^\S\n]"
# A run of stops is entered at its first character only, so a megabyte of dots costs one look.
_STOP: Final = (
    rf"(?<![{_STOPS}])[{_STOPS}]++[{_CLOSERS}]{{0,3}}(?=\s)"
    r"|[。！？][」』”’）]{0,3}"
)
_BULLET: Final = r"(?<=\s)[•●▪■◦‣∙](?=\s)"
_BY_LINE: Final = re.compile(rf"(?P<stop>{_STOP})|\n|(?P<bullet>{_BULLET})")
_WRAPPED: Final = re.compile(rf"(?P<stop>{_STOP})|\n{_SPACE}*+\n|(?P<bullet>{_BULLET})")
_EDGE: Final = " \t\r\n\v\f\u00a0\u2009\u200b\u202f\u3000•●▪■◦‣∙"

_LONGEST_WORD: Final = 24  # characters looked at before a stop
_AHEAD: Final = 60  # and behind it
_LAST_WORD: Final = re.compile(r"[^\s(\[“„\"‘'/—–|§]+$")
_DOTTED: Final = re.compile(r"(?:^|[-.])(?:[^\W\d_]\.)+[^\W\d_]$")
_ENUMERATOR: Final = re.compile(
    r"[\W_]{0,4}(?:(?:item|section|part|note|article|chapter|exhibit|schedule|annex)\s+)?"
    r"(?:\d{1,3}[a-z]?(?:\.\d{1,3}){0,3}|[ivxlc]{1,6}|[a-z])\)?",
    re.IGNORECASE,
)
_NEXT_WORD: Final = re.compile(r"[^\w\s]{0,2}([^\W\d_]+(?:['’][^\W\d_]+)?)")
_MIXED: Final = re.compile(r"\w*[A-Z0-9_]")  # iPhone, eBay, mRNA, file_name

# Nothing ends after these: a name, a number or an explanation follows.
_LEADS: Final = frozenset(
    """
    mr mrs ms dr prof messrs hon rev gen col capt lt sgt sen rep gov mme mlle hr fr sra dott
    nos vs v fig figs sec secs art arts cl ser para paras pp vol cf ft mt cap reg proc
    e.g i.e viz z.b d.h u.a bl.a p.ex c.f s.o v.a t.ex f.eks
    bzw inkl incl ggf vgl evtl zzgl abzgl resp usw.u núm tel fax nr str alin гр ул
    """.split()
)
# A sentence may end here, when the next word is one that begins sentences.
_ABBREVIATIONS: Final = frozenset(
    """
    cos bros jr sr esq ph.d
    no st ave blvd rd bldg ste dept div dist assn assoc ind intl natl mfg univ
    al est approx max min ca adv supp stat rul ret sys empl pub bankr ill
    jan feb mar apr jun jul aug sep sept oct nov dec
    u.s u.k e.u d.c s.a n.v b.v l.p a.m p.m
    """.split()
)
_FORMS: Final = frozenset("inc corp co ltd llc llp lp plc pte pty sa nv bv gmbh ag".split())
# Function words: with a capital they begin a sentence, whatever abbreviation stands before.
_OPENERS: Final = frozenset(
    """
    the a an this that these those such each every all any both some many most several no
    i we you he she it they our your his her its their my there here what who how why when where
    in on at as by for from to with under upon during prior after before since until following
    while although though if unless because however therefore additionally also further
    furthermore moreover accordingly consequently similarly currently effective pursuant subject
    except based beginning mr mrs ms dr and but or so not once due other another one two please
    der die das dies diese dieser ein eine wir sie es er im am in mit für bei auf nach seit
    le la les un une il elle nous vous ils dans en pour el los las una se del con
    """.split()
)


def sentences(
    text: str, start: int = 0, end: int | None = None, *, wrapped: bool = False
) -> list[tuple[int, int]]:
    """Spans of the sentences of `text[start:end]`, in order, without white space or bullets around.

    Each line ends a sentence, as our texts have one block a line. `wrapped` is for texts whose lines
    are broken by width: there only an empty line ends one, and not even that where the sentence
    plainly goes on, as it does over a page break.
    """
    stop = len(text) if end is None else end
    found: list[tuple[int, int]] = []
    begin = start
    for match in (_WRAPPED if wrapped else _BY_LINE).finditer(text, start, stop):
        kind = match.lastgroup
        if kind == "stop":
            if not _ends(text, begin, match, stop):
                continue
        elif wrapped and kind is None and _goes_on(text, begin, match, stop):
            continue
        _add(found, text, begin, match.start() if kind == "bullet" else match.end())
        begin = match.end()
    _add(found, text, begin, stop)
    return found


def sentence_at(text: str, start: int, end: int, *, reach: int = 600) -> tuple[int, int]:
    """The span of the sentence around `text[start:end]`, on its line, at most `reach` to each side."""
    first = max(text.rfind("\n", max(0, start - reach), start) + 1, start - reach, 0)
    last = text.find("\n", end, end + reach)
    last = min(len(text), end + reach) if last < 0 else last
    left, right = first, last
    for begin, stop in sentences(text, first, last):
        if begin <= start:
            left = begin
        if stop >= end:
            right = stop
            break
    return left, right


def _add(found: list[tuple[int, int]], text: str, begin: int, end: int) -> None:
    piece = text[begin:end]
    kept = piece.lstrip(_EDGE)
    first = begin + len(piece) - len(kept)
    last = first + len(kept.rstrip(_EDGE))
    if last > first:
        found.append((first, last))


def _ends(text: str, begin: int, match: re.Match[str], stop: int) -> bool:
    """Whether the stops of a match end the sentence that began at `begin`."""
    ahead = text[match.end() : min(stop, match.end() + _AHEAD)]
    rest = ahead.lstrip()
    if match[0][0] in "。！？।؟۔" or not rest or "\n" in ahead[: len(ahead) - len(rest)]:
        return True
    following = _NEXT_WORD.match(rest)
    word, at = (following[1], following.start(1)) if following else ("", 0)
    if rest[at] in "-–—" or (rest[at].islower() and not _MIXED.match(rest, at)):
        return False
    if match[0][0] != "." or match[0].startswith(".."):
        return True
    is_initial = len(word) == 1 and rest.startswith(".", at + 1)  # and no article
    return not _is_abbreviation(text, begin, match.start(), "" if is_initial else word)


def _is_abbreviation(text: str, begin: int, dot: int, following: str) -> bool:
    """Whether the stop at `dot` belongs to the word before it, seen from the word that follows."""
    if dot - begin <= _LONGEST_WORD and _ENUMERATOR.fullmatch(text, begin, dot):
        return True
    word = _LAST_WORD.search(text, max(begin, dot - _LONGEST_WORD), dot)
    if word is not None and word[0].isdigit():
        # "Am 18. März": a day's number in languages that write it with a stop.
        return len(word[0]) <= 2 and fold(following) in MONTHS
    return word is not None and _is_short(word[0], following)


def _is_short(word: str, following: str) -> bool:
    """Whether a word with a stop is an abbreviation or an initial."""
    low, opens = word.lower(), following[:1].isupper() and following.lower() in _OPENERS
    is_dotted = _DOTTED.search(word) is not None
    if _is_capitals(word) and not following[1:].isupper():
        # "SEC." is no section: only among capitals is a word in capitals an abbreviation.
        return is_dotted and not opens
    if low in _LEADS or (len(word) == 1 and word.islower()):
        return True
    is_letter = len(word) == 1 and word.isalpha()
    return (is_letter or is_dotted or low in _ABBREVIATIONS or low in _FORMS) and not opens


def _is_capitals(word: str) -> bool:
    return len(word) > 1 and word.isupper() and word.lower() not in _FORMS


def _goes_on(text: str, begin: int, gap: re.Match[str], stop: int) -> bool:
    """Whether a paragraph cut by an empty line goes on after it: no stop before, small letter after."""
    before = text[max(begin, gap.start() - 200) : gap.start()].rstrip()
    after = text[gap.end() : min(stop, gap.end() + 40)].lstrip()
    return (
        len(before) >= 60
        and before[-1] not in '.!?:;…|”"'
        and "|" not in before
        and after[:1].islower()
    )
