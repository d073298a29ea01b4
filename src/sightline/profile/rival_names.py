"""Which companies a sentence names as competitors: enumerations, appositions and comparisons.

Pure: words in, names out, in English, German, French and Spanish. Generic groups ("large
retailers") are no names, and neither are customers, partners and those that others compete with.
"""

import re
from collections.abc import Iterator
from typing import Final

from sightline.profile.rival_words import GENERIC, NO_COMPANY, OFTEN_COMPANY, OPENING
from sightline.profile.sentences import spaced

_NEAR: Final = 90  # characters between the word of competition and the list
_FEWEST_FOR_BRANDS: Final = 5  # names beside which a lower-case piece is a brand
_MOST_WORDS: Final = 7
_SHORT_LINE: Final = 120  # a comparison stands in a heading or a short sentence

CUE: Final = re.compile(
    r"\bcompet(?:es?|ing|ed) (?:\w+ ){0,4}?(?:with|against)\b|\bcompetit(?:ors?|ion)\b|\brivals?\b"
    r"|\bhighly competitive\b|\bcompetitive products?\b|\bwe compete\b|\balternatives? to our\b"
    r"|\bcompeting (?:product|service|offering|therap)\w*"
    r"|(?i:\b(?:haupt)?(?:wettbewerber|mitbewerber|konkurrent)\w*|\bim wettbewerb\b|\bkonkurrier\w+"
    r"|\bconcurren(?:ts?|ce)\b|\bcompetidor\w*|\bcompetimos\b|\bcompite\b)",
    re.I,
)
# Others compete with others, or competition is for people, or there is none.
_OF_OTHERS = re.compile(
    r"\b(?:that|which|who|they|companies) (?:\w+ )?compete with (?!us\b|our|ours\b|the company)"
    r"|\borganizations like\b|\bcompetitors of (?!our|the company|us\b)"
    r"|\b(?:not|never) (?:\w+ )?(?:compete|competing)\b|\bnon-?compet"
    r"|\bcompet\w+ for (?:\w+ ){0,3}(?:talent|employees|personnel|engineers|staff|workers|labor)\b"
    r"|\b(?:served|worked|employed|joined|joining|career|previously)\b"
    r"|\bcompetition (?:among|between|law|and consumer|authorit|commission|bureau)"
    r"|\bMedicare\b|\bcompetitors (?:may|could|might|have|use|merge)\b",
    re.I,
)
# Where the list of names begins.
_CAPITAL = r"(?=(?-i:[A-ZÀ-Þ]))"
_OPENS = re.compile(
    r"\b(?:such as|includ(?:ing|es?)(?:,? (?:but not limited to|among others|without limitation|from))?"
    r"|namely|(?:e\.g\.|for example|for instance),?|like)[,:]?\s"
    r"|\b(?:competitors?|rivals?|companies)\b[^,;:.]{0,70}?\b(?:are|is|were)[,:]?\s"
    rf"|\b(?:competitors?|rivals?),\s{_CAPITAL}"
    r"|\b(?:largest|main|primary|principal|biggest|most significant) of (?:which|whom|these(?: \w+)?"
    r"|our \w+) (?:is|are)\s|\bcompeting \w+ (?:are|is) \w+ (?:by|from)\s"
    r"|\bcompet(?:es?|ing|ed) (?:\w+ ){0,4}?(?:with|against)\s|\bcompetition\b[^,;:.]{0,60}?\bfrom\s"
    r"|\b(?:wie(?: etwa| zum Beispiel)?|darunter|z(?:ä|ae)hlen(?: unter anderem)?|geh(?:ö|oe)ren|sind"
    r"|tel(?:le)?s? que|comme|notamment|sont|figurent|como|entre ellos|son|incluyen)[,:]?\s"
    rf"(?:(?:die|der|den|das|les?|la|los) )?{_CAPITAL}"
    r"|\b(?:competimos|compite|en concurrence|im wettbewerb|konkurrier\w+)\b[^.;:]{0,30}?\b(?:con|avec|mit)\s"
    rf"|(?<=[a-z]) \((?={_CAPITAL}[\w&.’' +-]+,\s)|:\s",
    re.I,
)
# The whole sentence speaks of products that compete with the company's own.
_STRONG = re.compile(
    r"\bcompet(?:e|es|ing) (?:\w+ ){0,3}(?:with|against) (?:us|ours?)\b|\bcompeting (?:products?|therap"
    r"|services?|solutions?|technolog|offerings?|platforms?|drugs?|treatments?)|\bwhom we compete\b",
    re.I,
)
_COMPANIES = re.compile(
    r"\b(?:compan(?:y|ies)|vendors?|providers?|competitors?|manufacturers?|firms?|retailers?|players"
    r"|brands|operators|suppliers|developers|banks|platforms|businesses)\b[^.;:]{0,60}$",
    re.I,
)
_NO_RIVALS = re.compile(
    r"\b(?:customers?|clients?|partners?|investors?|suppliers? to us|distributors|rely|relies|depends?"
    r"|uses?|using|hosted)\b[^.;:]{0,40}$",
    re.I,
)
_STOPS = re.compile(
    r"\b(?:among others|as well as|in (?:the|our|each|addition|all)|and (?:from|many |several |various "
    r"|numerous |a |other|others|smaller"
    r"|regional|local|private|in-house|internal|new|some|certain|emerging|indirectly)|or companies|for"
    r" (?:our|the)|all of|each of|both of"
    r"|which|who|that|with (?:respect|their|its|offerings)|to (?:a|the|our)|on (?:the|a)|some"
    r" of|have|has|had|are|is|offer|provide|sowie|ainsi que|así como|unter anderem|entre autres)\b"
    r"|such as|including|:(?=\s|$)|;(?=\s+(?!(?:and|or)\s+[A-Z])(?![A-Z]))|;$"
    r"|(?<!\b[A-Z])(?<!\bInc)(?<!\bCo)(?<!\bCorp)(?<!\bLtd)(?<!\bS\.A)(?<!\bN\.V)\.(?=\s|$)"
    r"|\s[–—]\s",
)
_TAKEN = (
    # Names stand before: "Osprey and Tundra are our largest competitors", "Osprey competes with us".
    re.compile(
        r"\s(?:is|are|remains?|have been) (?:among |one of |\w+ )?(?:our|the company[’']s)"
        r" (?:[\w-]+ ){0,4}?(?:competitors?|rivals?)\b",
        re.I,
    ),
    re.compile(r"\sas (?:our|one of our) (?:[\w-]+ ){0,3}?(?:competitors?|rivals?)\b", re.I),
    re.compile(r"\s(?:\w+ly )?competes? (?:\w+ly )?(?:with|against) (?:us|our|ours)\b", re.I),
)
_FORM_WORDS: Final = (
    r"Inc|Incorporated|Corp|Co|Ltd|Limited|LLC|L\.L\.C|L\.P|LP|PLC|plc|N\.V|S\.A|SE|AG|GmbH|B\.V"
    r"|A/S|AB|ASA|Oyj|KGaA|SE & Co\. KGaA|GmbH & Co\. KG|S\.p\.A"
)
_FORM = re.compile(rf",\s+(?=(?:{_FORM_WORDS}|Corporation|Company)\b)")
_LEGAL = re.compile(rf"[ ,]+(?:{_FORM_WORDS})\.?$")
_PIECE = re.compile(
    r"\s*(?:[,;]|\s/\s)\s*(?:(?:and|or|und|oder|et|ou|y|e)\s+|&\s+)?|\s+(?:and|or|und|oder|et|ou|y)\s+"
)
_COMMA = re.compile(r"\s*[,;]\s*(?=(?:and |or |& )?[A-ZÀ-Þa-z0-9])")
_AND = re.compile(
    r"([A-ZÀ-Þ][\w’'.&-]*(?: [A-ZÀ-Þ&][\w’'.&-]*)*) and ([A-ZÀ-Þ][\w’'.&-]*(?: [A-ZÀ-Þ&][\w’'.&-]*)*)"
)
_LINK = re.compile(r"^\s*(?:(?:and|or|und|oder|et|ou|y|e) |& )")
_FEWEST_FOR_AND: Final = 3  # pieces between commas
_ASIDE = re.compile(r"\s*\([^()]*\)")
_ALIAS = re.compile(r"\s*[“\"][^”\"]*[”\"]")
# "Osmia (Tundra Pharma Inc.)": a product and who sells it.
_SOLD_BY = re.compile(
    rf"[A-Z][\w®™-]+(?: [A-Z][\w®™-]+)? "
    rf"\((?P<who>[A-Z][^()]*?(?:{_FORM_WORDS}|Company|Corporation|& \w+)\.?)\)"
)
_NAME = re.compile(
    r"^(?:[A-ZÀ-Þ0-9][\w’'.+!&-]*|[a-z]{1,12}[A-Z]\w*)(?:\s(?:[A-ZÀ-Þ0-9&][\w’'.+!&-]*|of|de|the|and"
    r"|for|van|von|di|du|la))*$"
)
_LOWER_NAME = re.compile(r"^[a-z][\w.-]+(?: [a-z][\w-]+)?$")
_ACRONYMS = re.compile(r"[A-Z]{2,}s")
_TO_NAMES = re.compile(
    r"^(?:with|from|by|against|principally|primarily|mainly|mit|avec|con|the likes of)\s+", re.I
)
_ARTICLE = re.compile(r"^(?:the|die|der|den|das|les?|la|los|el)\s+(?=[A-ZÀ-Þ])")
# "Intel Corporation, or Intel,": a short form in the middle of an enumeration.
_SHORT_FORM = re.compile(r",? or ([A-Z][\w&.-]*)(?=[,;.]|,? and\b|$)")

_ADJECTIVE = re.compile(r"[A-Z]\w+-[a-z]+$")  # "Open-source"
_AFTER = r"(?P<names>[A-ZÀ-Þ][\w’'.&-]*(?:(?:, | and | or | )(?:[A-ZÀ-Þ][\w’'.&-]*))*)"
_COMPARED = (
    re.compile(rf"\b(?:an?|the|best|top) (?:[\w-]+ ){{0,4}}?alternatives? to {_AFTER}"),
    re.compile(rf"^(?:[A-Z][\w-]+ )?[Aa]lternatives? to {_AFTER}"),
    re.compile(rf"(?:^|\b(?:[Aa]n?|[Tt]he|[Bb]est|[Tt]op|\d+) ){_AFTER} [Aa]lternatives?\b"),
)
_AGAINST = (  # beside the company's own name only
    re.compile(rf"\b(?i:vs\.?|versus) {_AFTER}"),
    re.compile(rf"^{_AFTER} (?i:vs\.?|versus)\s"),
    re.compile(
        rf"\b(?i:compare[sd]? (?:with|to)|than|over|switch(?:ing|ed)? from|mov(?:e|ing|ed) from) {_AFTER}"
    ),
)
_PRAISE = re.compile(r"^(?:(?:The|An?|Best|Top|Leading|Your|Our) )+")


def without_form(name: str) -> str:
    """A name without its legal form, at most two of them: "Tundra Lines AG" is "Tundra Lines"."""
    for _ in range(2):
        name = _LEGAL.sub("", name).strip(" ,.")
    return name


def speaks_of_others(text: str) -> bool:
    """Whether a sentence tells of competition that is not for the company's business."""
    return _OF_OTHERS.search(text) is not None


def named_in(text: str, *, under: bool = False) -> Iterator[str]:
    """The names that a sentence gives competitors, in their order.

    Text `under` a heading about competition needs no cue of its own.
    """
    text = _FORM.sub(" ", spaced(text))
    if speaks_of_others(text):
        return
    yield from _listed_before(text)
    strong = bool(_STRONG.search(text))
    taken = False
    at = 0
    while found := _OPENS.search(text, at):
        at = max(found.end(), at + 1)
        before = text[: found.start()]
        near = text[max(0, found.start() - _NEAR) : found.end()]
        if before.count("(") > before.count(")") and (taken or found[0].startswith(":")):
            continue  # brands and tickers of what was named
        if found[0] == " (" and not before.rpartition(" ")[2][:1].islower():
            continue
        meant = CUE.search(near) or (strong and _COMPANIES.search(before))
        if (under or meant) and not _NO_RIVALS.search(before):
            listed = not found[0].casefold().startswith("compet")
            names = names_of(_span(text, found.end()), brands=listed)
            taken = taken or bool(names)
            yield from names


def names_of(span: str, *, brands: bool = True) -> list[str]:
    """The names of an enumeration; none when most of its pieces are ordinary words."""
    span = _TO_NAMES.sub("", _without_asides(_FORM.sub(" ", span)))
    span = _SHORT_FORM.sub(_without_short_form, span)
    pieces = [_ALIAS.sub("", piece).strip(" .,;:“”\"'’") for piece in _pieces(span)]
    pieces = [_ARTICLE.sub("", piece) for piece in pieces]
    names = [without_form(p) for p in pieces if p]
    names = [n for n in names if n]
    proper = [n for n in names if is_name(n)]
    # One lower-case piece among names is a brand ("adidas"); more of them are ordinary words.
    if brands and len(proper) >= 2:
        proper = [n for n in names if is_name(n) or _is_brand(n, len(proper))]
    return proper if len(proper) * 2 >= len(names) else []


def _pieces(span: str) -> Iterator[str]:
    """The pieces of an enumeration; an "and" before its last comma is part of a name."""
    parts = [_LINK.sub("", part) for part in _COMMA.split(span)]
    for place, part in enumerate(parts):
        inner = _AND.fullmatch(part.strip())
        between = 0 < place < len(parts) - 1 and len(parts) >= _FEWEST_FOR_AND
        if inner and between and is_name(inner[1]) and is_name(inner[2]):
            yield part
        else:
            yield from _PIECE.split(part)


def compared_in(text: str, *, own: str) -> list[str]:
    """The names that a line of the company's own site compares it with. `own` is how the company
    begins its name; lines that set it against nobody by name give none."""
    text = spaced(text).strip(" .!?")
    if not text or len(text) > _SHORT_LINE or re.search(r"\d{4}\b", text):
        return []
    mine = re.search(rf"\b{re.escape(own)}\b", text, re.I) if own else None
    found: list[str] = []
    for pattern in (*_COMPARED, *(_AGAINST if mine else ())):
        for match in pattern.finditer(text):
            named = names_of(_PRAISE.sub("", match["names"]))
            found += [name for name in named if name.casefold() != own.casefold()]
    return [
        name
        for name in dict.fromkeys(found)
        if not (mine and name.startswith(mine[0])) and not _ADJECTIVE.match(name)
    ]


def is_name(piece: str) -> bool:
    """Whether a piece of an enumeration reads as the name of a company."""
    words = piece.split()
    if (
        not 1 <= len(words) <= _MOST_WORDS
        or not re.search(r"[^\W\d_]{2}|[A-Z]\.[A-Z]", piece)
        or not _NAME.match(piece)
        or _ACRONYMS.fullmatch(piece)
        or NO_COMPANY.search(piece)
    ):
        return False
    generic = [_is_generic(word) for word in words]
    if all(generic) or words[0].casefold() in OPENING:
        return False
    # "Republic Services" is a company, "Cloud Services" are not.
    return not (OFTEN_COMPANY.search(piece) and all(generic[:-1]))


def _is_generic(word: str) -> bool:
    bare = word.casefold()
    return bare in GENERIC or bare.strip(".") in GENERIC


def _span(text: str, start: int) -> str:
    """The text of an enumeration from where it begins to where it stops."""
    depth = 0
    end = len(text)
    for at in range(start, len(text)):  # a list inside brackets ends with them
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth < 0:
            end = at
            break
    # What stands in brackets neither ends the list nor parts it.
    bare = _ASIDE.sub(lambda found: " " * len(found[0]), text[:end])
    stop = _STOPS.search(bare, start)
    return text[start : stop.start() if stop else end]


def _without_asides(span: str) -> str:
    if any(_SOLD_BY.finditer(span)):
        span = _SOLD_BY.sub(lambda found: found["who"], span)
    for _ in range(2):
        span = _ASIDE.sub("", span)
    return span


def _listed_before(text: str) -> Iterator[str]:
    for pattern in _TAKEN:
        if found := pattern.search(text):
            before = re.split(r":\s|;\s|\bwhile\b", text[: found.start()])[-1]
            pieces = [_last_name(p) for p in _PIECE.split(_without_asides(before)) if p]
            run: list[str] = []
            for piece in reversed(pieces):
                if not is_name(piece):
                    break
                run.append(piece)
            yield from reversed(run)


def _last_name(piece: str) -> str:
    """The name that a piece ends with: "The retail side of Osprey" ends with "Osprey"."""
    piece = without_form(piece.strip(" .,;:"))
    found = re.search(
        r"(?:^|(?<=[a-z] ))(?:[A-ZÀ-Þ0-9][\w’'.&-]*)(?: [A-ZÀ-Þ0-9&][\w’'.&-]*)*$", piece
    )
    return found[0] if found else piece


def _without_short_form(found: re.Match[str]) -> str:
    return "" if _is_short_form(found.string[: found.start()], found[1]) else found[0]


def _is_short_form(before: str, word: str) -> bool:
    """Whether "or X" gives the name before it once more: its first word, or its initials."""
    last = _PIECE.split(before)[-1].split()
    capitals = "".join(w[0] for w in last if w[0].isupper())
    return bool(last) and (
        last[0].strip(".,") == word or (len(word) > 1 and capitals.startswith(word))
    )


def _is_brand(piece: str, named: int) -> bool:
    """A lower-case piece among many names."""
    return (
        named >= _FEWEST_FOR_BRANDS
        and len(piece.split()) < 3
        and _LOWER_NAME.match(piece) is not None
    )
