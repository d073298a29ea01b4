"""A sentence as the few tokens that patterns and weights speak of, each with its place in the text.

Names, people, places, roles, amounts and dates become one token of an upper-case class; every form of
a word becomes one stem; articles, quotation marks and stock tickers are left out.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Final

from sightline.domain.countries import countries

NAMES: Final = frozenset({"NAME", "ORG", "PERSON", "PLACE"})

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_DAYS = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
_SCALE = r"(?i:million|billion|trillion|thousand|crore|lakh|mln|bln|mn|bn|tn|m|b|k)"
_UNIT = (
    r"(?:U\.?S\.? dollars?|(?:Canadian|Australian|Singapore|Hong Kong) dollars?|dollars?|euros?|pounds?"
    r"|yen|yuan|rupees?|francs?|kron(?:or|er|a)|won|pesos?|reais|rand|dirhams?|USD|EUR|GBP|JPY|CNY|INR"
    r"|CHF|SEK|NOK|DKK|CAD|AUD|SGD|AED|crowns?|ringgit|baht|rupiah|liras?|zlotys?|forints?|shekels?|riyals?"
    r"|dinars?|naira|shillings?|hryvnias?|roubles?|rubles?|crores?)"
)
_CODE = (
    r"(?:(?:US|C|CA|A|AU|S|SG|HK|NZ|R)?[$€£¥₹₩]"
    r"|(?:USD|EUR|GBP|JPY|CNY|INR|CHF|SEK|NOK|DKK|CAD|AUD|Rs\.?|RMB)\s?)"
)
_NUMBER = r"\d+(?:[.,]\d+)*"
_NUMBER_WORDS = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty"
    r"|sixty|seventy|eighty|ninety|hundred|dozen)"
)
_OFFICER = (
    r"chief(?:\s(?!executive\s(?:of|at)\b)[a-z&]+){1,4}?\sofficer|chief executive|chief financial"
    r"|chief (?:scientist|engineer|economist|architect|of staff|counsel|designer|strategist|technologist)"
    r"|(?:finance|technology|operations|marketing|people|legal|medical|design|strategy|sales) chief"
)
_ROLE = (
    rf"(?:{_OFFICER}|(?:(?:senior|executive|group|assistant|deputy|regional|corporate|associate|global)\s)*"
    r"vice[ -]?president|vice[ -]?chair(?:man|woman)?|managing (?:director|partner|editor)"
    r"|general (?:counsel|manager)|(?:finance|creative|technical|commercial|sales|marketing|executive|medical"
    r"|sporting|artistic|music|news|regional|operations|country|art|engineering|research|communications|program"
    r"|clinical|deputy)\s(?:director|editor|head)|(?:co-)?president|chairman|chairwoman|chairperson"
    r"|executive chair|head of|global head|director of|treasurer"
    r"|(?:head|assistant) coach|editor[- ]in[- ]chief|provost|chancellor|superintendent|country manager"
    r"|(?:operating|general|venture) partner|(?:head|executive) chef|of counsel|company secretary)"
)

# Stock indices, whose points rise and fall like a company's figures.
_INDEX = (
    r"\b(?:Dow Jones Industrials?(?: Average)?|(?<=\b[Tt]he )Dow(?! Chemical| Inc| Corning)|S&P \d{3}"
    r"|Standard (?:&|and) Poor['’]s \d{3}|Nasdaq (?:Composite|100)|FTSE \d{3}|Russell \d{4}|Nikkei(?: \d{3})?"
    r"|DAX|CAC 40|(?:Euro )?(?:STOXX|Stoxx)(?: Europe)?(?: \d{2,3})?|Hang Seng|Sensex|Nifty(?: 50)?|Kospi"
    r"|ASX 200|IBEX(?: 35)?|S&P/TSX)(?:(?: Composite| Enterprises)? [Ii]ndex| [Aa]verage)?\b"
)

# Authorities with long names; those that only count the economy are left out.
_AGENCY = (
    r"\b(?!(?:The|In|At|On|But|And|For|When|After|As|Commerce|Labor|Labour|Census|Treasury|Agriculture"
    r"|Marketing|Advertising|Travel|News|Talent|Creative|Digital|Staffing|Ratings?)\s)"
    r"(?:[A-Z][A-Za-z.]+\s(?:(?!Marketing|Advertising|Travel|News|Talent|Creative|Digital|Staffing|Ratings?|Information)"
    r"[A-Z][A-Za-z]+\s|and\s|&\s|of\s|for\s|on\s){0,5}(?:Administration|Commission|Ministry|Bureau|Agency|Authority|Department"
    r"(?!\s[Ss]tore))"
    r"|(?:Department|Ministry|Bureau|Office)\sof\s(?!Commerce|Lab|the\sCensus|Economic)[A-Z][a-z]+(?:\sand\s[A-Z][a-z]+)?)\b"
)


def _spaced(pattern: str) -> str:
    """The pattern with its blanks written out: the verbose one it goes into ignores plain ones."""
    return pattern.replace(" ", r"\s")


_MASTER: Final = re.compile(
    rf"""
    (?P<DROP>\((?:[^()]{{0,30}}:\s?)?[A-Z.]{{1,6}}(?:\.[A-Z]{{1,2}})?\)|["“”„«»*]|https?://\S+)
    |(?P<INDEX>{_spaced(_INDEX)})
    |(?P<AGENCY>{_spaced(_AGENCY)})
    |(?P<STREET>\bWall\sStreet\b(?!\s(?:Journal|Bank|English))|(?<=\b[Tt]he\s)Street\b)
    |(?P<MONEY>{_CODE}\s?{_NUMBER}(?:[\s-]?{_SCALE}\b)?(?:\s?{_spaced(_UNIT)}\b)?
        |{_NUMBER}(?:[\s-]?{_SCALE})?[\s-](?:{_spaced(_UNIT)})\b|{_NUMBER}[mb]n?\s?(?:{_spaced(_UNIT)})\b)
    |(?P<PCT>{_NUMBER}\s?(?:%|per\s?cent\b|percent\b|percentage\spoints?\b))
    |(?P<DATE>\b(?:{_MONTHS}|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?\s\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s\d{{4}})?\b
        |\b\d{{1,2}}(?:st|nd|rd|th)?\s(?:{_MONTHS})(?:\s\d{{4}})?\b|\b(?:{_MONTHS})\s\d{{4}}\b
        |\b(?:January|February|April|June|July|August|September|October|November|December|{_DAYS})\b
        |(?<=\b[Ii]n\s)(?:March|May)\b
        |(?i:\b(?:yesterday|today|tonight|tomorrow|(?:last|next|this|later\sthis|earlier\sthis)\s
            (?:week|month|year|spring|summer|autumn|fall|winter))\b)
        |\d{{4}}-\d{{2}}-\d{{2}})
    |(?P<YEAR>\b(?:19|20)\d{{2}}\b(?![,.]\d))
    |(?P<ROLE>\b(?:(?i:{_spaced(_ROLE)})|C[EFOTMIRSPD]{{1,2}}O|CISO|S?E?VPs?|VP)\b)
    |(?P<NUM>{_NUMBER}(?:st|nd|rd|th)?(?:[\s-]?(?:million|billion|thousand|hundred|k|m)\b)?|\b(?i:{_NUMBER_WORDS})\b)
    |(?P<WORD>(?:[A-Z]\.){{2,}}|[^\W\d_]+(?:\d+[^\W_]*|&[A-Z])?)
    |(?P<POSS>['’][sS]\b|(?<=s)['’](?=\s))
    |(?P<CONTRACTION>['’](?:t|re|ve|ll|d|m)\b)
    |(?P<PUNCT>[,;:!?.]|\s[-–—]+\s|—|&)
    """,
    re.VERBOSE,
)

# Bases of the table of irregular words that are their own stems.
_UNSTEMMED: Final = frozenset({"be", "have", "its", "headquartered", "space", "minute"})
# Those who speak for the stock market are read like its analysts.
_NORMS: Final = {"INDEX": "index", "STREET": "analyst", "AGENCY": "regulator"}
# Small words that a name may have inside.
_LINKS: Final = frozenset({"&", "of", "de", "van", "von", "du", "la"})
_PREPOSITIONS: Final = frozenset({"i", "in", "on", "at", "for", "to", "and", "by", "with"})


@dataclass(frozen=True, slots=True)
class Token:
    """`norm` is a stem or an upper-case class; `text[start:end]` is what it stands for."""

    norm: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """A tokenised sentence. `line` is the norms between single blanks, with a blank at both ends."""

    text: str
    tokens: tuple[Token, ...]
    line: str
    title_case: bool

    def quote(self, first: int, last: int) -> str:
        """The text from token `first` to token `last`, both included."""
        return self.text[self.tokens[first].start : self.tokens[last].end]


@dataclass(slots=True)
class _Piece:
    kind: str
    text: str
    start: int
    end: int


@cache
def lexicon() -> dict[str, Any]:
    """``data/lexicon.toml``, read once."""
    return tomllib.loads(read_data("lexicon.toml"))


def read_data(name: str) -> str:
    """The text of a file of ``signals/data``."""
    return files("sightline.signals").joinpath("data", name).read_text(encoding="utf-8")


@cache
def listed(key: str) -> frozenset[str]:
    """The words under a key of the lexicon's table of words."""
    return frozenset(str(lexicon()["words"][key]).split())


@cache
def _irregular() -> dict[str, str]:
    table: dict[str, str] = {}
    for base, forms in lexicon()["irregular"].items():
        key = base if base in _UNSTEMMED else _regular_stem(base)
        table |= dict.fromkeys((base, *forms.split()), key)
    return table


@lru_cache(maxsize=60_000)
def stem(word: str) -> str:
    """One key for all inflected forms of a lower-case word: "acquired" and "acquires" are "acquir"."""
    return _irregular().get(word) or _regular_stem(word)


def _regular_stem(word: str) -> str:
    key = word
    if key.endswith("ies") and len(key) > 4:
        key = key[:-3] + "y"
    elif key.endswith("s") and not key.endswith(("ss", "us", "is")) and len(key) > 3:
        key = key[:-1]
    for suffix in ("ing", "ed"):
        root = key[: -len(suffix)]
        if key.endswith(suffix) and len(root) > 2 and re.search("[aeiouy]", root):
            key = root
            if key[-1] == key[-2] and key[-1] not in "lsz":
                key = key[:-1]
            break
    key = key.replace("isation", "ization")
    if key.endswith("ise") and len(key) > 6:
        key = key[:-2] + "ze"
    elif key.endswith("is") and len(key) > 5:
        key = key[:-1] + "z"
    if key.endswith("i") and len(key) > 3:
        key = key[:-1] + "y"
    return key[:-1] if key.endswith("e") and len(key) > 3 else key


@cache
def _places() -> frozenset[str]:
    named = {nation.name.lower() for nation in countries()}
    cities = "".join(str(lexicon()["words"]["cities"]).splitlines())
    states = files("sightline.domain").joinpath("data", "states.tsv").read_text(encoding="utf-8")
    for line in states.splitlines()[1:]:
        cells = line.split("\t")
        if cells[0] in {"US", "CA", "AU", "DE", "IN"}:
            named.add(cells[2].lower())
    return frozenset(named | set(filter(None, cities.split("|"))))


@cache
def common_stems() -> frozenset[str]:
    """Stems of ordinary words: capitalised ones are no names at the start of a sentence or in a headline."""
    return frozenset(read_data("words.txt").split())


def tokenize(text: str) -> Sentence:
    """Read one sentence or headline; never fails, an empty text has no tokens."""
    pieces = [
        _Piece(match.lastgroup or "", match.group(), match.start(), match.end())
        for match in _MASTER.finditer(text)
        if match.lastgroup != "DROP"
    ]
    title_case = _is_title_case(pieces)
    tokens = tuple(_tokens(pieces, title_case))
    return Sentence(text, tokens, " " + "".join(f"{token.norm} " for token in tokens), title_case)


def _is_title_case(pieces: list[_Piece]) -> bool:
    """Headlines have capitals almost throughout; a sentence with a full stop must have them more so."""
    words = [piece.text for piece in pieces if piece.kind == "WORD" and len(piece.text) > 3]
    share = 0.9 if pieces and pieces[-1].text == "." else 0.72
    return len(words) >= 4 and sum(word != word.lower() for word in words) > share * len(words)


def _tokens(pieces: list[_Piece], title_case: bool) -> Iterator[Token]:
    index, count, first = 0, len(pieces), True
    while index < count:
        piece = pieces[index]
        if piece.kind == "WORD":
            stop = _name_end(pieces, index, opens=first, title_case=title_case)
            if stop > index:
                run = pieces[index:stop]
                yield Token(_name_class(run), run[0].start, run[-1].end)
                index, first = stop, False
                continue
            norm = _word(piece.text, pieces, index)
            if norm:
                yield Token(norm, piece.start, piece.end)
            first = False
        elif piece.kind == "PUNCT":
            mark = piece.text.strip()
            if mark == "&":
                yield Token("and", piece.start, piece.end)
            else:
                yield Token(mark if mark in ",;:!?." else "--", piece.start, piece.end)
            first = mark in ".:!?"
        elif piece.kind == "POSS":
            yield Token("'s", piece.start, piece.end)
        elif piece.kind == "CONTRACTION":
            norm = {"t": "not", "re": "be", "ve": "have", "ll": "will"}.get(piece.text[1:], "")
            if norm:
                yield Token(norm, piece.start, piece.end)
        else:
            yield Token(_NORMS.get(piece.kind, piece.kind), piece.start, piece.end)
            first = False
        index += 1


def _word(word: str, pieces: list[_Piece], index: int) -> str:
    """The stem of a word; empty for a word that says nothing."""
    lower = word.lower()
    if lower in listed("articles") or lower in listed("skip"):
        return ""
    after = pieces[index + 1] if index + 1 < len(pieces) else None
    if after and after.kind == "CONTRACTION" and after.text[1:] == "t":
        return {"won": "will", "can": "can", "didn": "do", "doesn": "do"}.get(lower, stem(lower))
    return stem(lower)


def _name_end(pieces: list[_Piece], index: int, *, opens: bool, title_case: bool) -> int:
    """Where a run of capitalised words that starts at `index` ends; `index` when there is none."""
    if not _is_name(pieces[index], doubtful=opens or title_case):
        return index
    stop = index + 1
    while stop < len(pieces) and stop - index < 8:
        piece = pieces[stop]
        glued = piece.start - pieces[stop - 1].end <= 1 and not _partners_with(pieces, stop)
        if glued and _continues(piece, title_case=title_case):
            stop += 1
        elif (
            piece.text.strip() in _LINKS
            and stop + 1 < len(pieces)
            and _continues(pieces[stop + 1], title_case=title_case)
            and not (piece.text == "of" and title_case)
        ) or _is_initial(pieces, stop):
            stop += 2
        else:
            break
    return stop


def _partners_with(pieces: list[_Piece], index: int) -> bool:
    """Whether "Partners" is a verb, as in a headline, and not the end of a name."""
    after = pieces[index + 1].text.lower() if index + 1 < len(pieces) else ""
    return pieces[index].text == "Partners" and after == "with"


def _is_initial(pieces: list[_Piece], dot: int) -> bool:
    """Whether a full stop shortens a middle name: "Ann B. Castor"."""
    letter = pieces[dot - 1].text
    if pieces[dot].text != "." or len(letter) != 1 or dot + 1 >= len(pieces) or dot < 2:
        return False
    after = pieces[dot + 1]
    given = pieces[dot - 2].text.lower() in listed("first_names")
    return given and after.kind == "WORD" and after.text[0].isupper()


def _continues(piece: _Piece, *, title_case: bool) -> bool:
    return piece.kind == "WORD" and _is_name(piece, doubtful=title_case, inside=True)


def _is_name(piece: _Piece, *, doubtful: bool, inside: bool = False) -> bool:
    word = piece.text
    if not word[0].isupper():
        return any(letter.isupper() for letter in word[1:])  # iRobot, eBay
    lower = word.lower()
    if lower in listed("terms"):
        return False
    if lower in listed("articles") or lower in _PREPOSITIONS:
        return False
    if not doubtful or (any(letter.isupper() for letter in word[1:]) and not word.isupper()):
        return True
    if inside and lower in listed("org_suffixes"):
        return True
    return stem(lower) not in common_stems() and lower not in listed("org_suffixes")


def _name_class(run: list[_Piece]) -> str:
    words = [piece.text.lower() for piece in run if piece.text != "."]
    joined = " ".join(words)
    if joined in _places() or joined.replace(".", "") in _places():
        return "PLACE"
    if len(words) > 1 and words[-1] in listed("org_suffixes"):
        return "ORG"
    if words[0] in {"dr", "mr", "ms", "mrs", "prof", "sir"}:
        return "PERSON"
    if len(words) in {2, 3} and words[0] in listed("first_names"):
        return "PERSON"
    if words[-1] in _places() and len(words) > 1 and words[0] in {"north", "south", "west", "east"}:
        return "PLACE"
    return "NAME"
