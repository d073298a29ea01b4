"""Industries: the published vocabulary, and its equivalents in other vocabularies.

``data/industries.tsv`` holds one industry a row: sector, name, SIC ranges, NAICS prefixes, words that
decide by themselves, and the names of other vocabularies (GICS, LinkedIn, Salesforce, Glassdoor,
Y Combinator, Fortune, SEC). ``data/sectors.tsv`` does the same for sectors. What neither table knows
stays unknown: nothing is guessed.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from rapidfuzz import fuzz, process

from sightline.domain.names import fold
from sightline.domain.tables import rows_of


@dataclass(frozen=True, slots=True)
class Industry:
    """One name of the published vocabulary, and the sector it belongs to."""

    name: str
    sector: str


@dataclass(frozen=True, slots=True)
class _Codes:
    """Code ranges of one owner: four-digit SIC spans and NAICS prefixes of 2 to 6 digits."""

    sic: tuple[tuple[int, int], ...]
    naics: tuple[str, ...]


_PATH = re.compile(r"\s*(?:->|→|>|»|::|\|)\s*")
_LIST = re.compile(r"\s*[;\n]\s*")
_LEADING_CODE = re.compile(
    r"^\s*(?:(?:SIC|NAICS)\s*)?\d{2,6}(?:\.0)?\s*[-:–]?\s+(?=[^\W\d])", re.IGNORECASE
)
_CODE = re.compile(r"^\D*?(\d{2,6}|\d{2}-\d{2})(?:\.0+)?(?:\D.*)?$", re.DOTALL)
# Words that make no difference between two industries.
_FILLERS = frozenset(
    {"and", "the", "of", "for", "in", "other", "general", "services", "service", "industry", "industries"}
    | {"sector", "company", "companies", "products", "provider", "providers", "solutions", "misc", "nec"}
)  # fmt: skip
_LONGEST = 500  # characters that are looked at: an industry is no paragraph
_MAX_WORDS = 6
_SIC_DIGITS = 4
_CLOSE_ENOUGH = 55


@cache
def industries() -> tuple[Industry, ...]:
    """The published vocabulary, by sector and then as listed."""
    return tuple(Industry(row["name"], row["sector"]) for row in rows_of("industries.tsv"))


@cache
def sectors() -> tuple[str, ...]:
    """The names of the sectors, as listed."""
    return tuple(row["name"] for row in rows_of("sectors.tsv"))


@lru_cache(maxsize=4096)
def industry_from_text(text: str | None) -> Industry | None:
    """The industry a name means, whatever vocabulary it is from; None when unknown or broader.

    A path ("B2B -> Infrastructure") is tried whole, then from its last part; of a list the first
    known part counts. Failing that, a short text with a word that belongs to one industry alone
    ("Enterprise Insurance Group") means that industry.
    """
    plain = _LEADING_CODE.sub("", (text or "")[:_LONGEST])
    found = _by_name().get(fold(plain))
    if found is not None:
        return found
    for piece in _LIST.split(plain):
        parts = [piece, *reversed(_PATH.split(piece))]
        for part in dict.fromkeys(parts):
            known = _known(part)
            if known is not None:
                return known
            if fold(part) in _sector_by_name():
                # Said on purpose, and broader than any industry.
                return None
        known = _by_word(parts[1])
        if known is not None:
            return known
    return None


def industry_from_sic(code: object) -> Industry | None:
    """The industry of a SIC code of 2 to 4 digits; None when it covers several or none."""
    digits = _sic_digits(code)
    return _by_sic(digits) if digits else None


def industry_from_naics(code: object) -> Industry | None:
    """The industry of a NAICS code of 2 to 6 digits, any revision from 2007 on; else as for SIC."""
    digits = _digits(code)
    return _by_naics(digits) if digits else None


@lru_cache(maxsize=4096)
def sector_from_text(text: str | None) -> str | None:
    """The sector a name means: a sector's own name or alias, or the sector of its industry."""
    plain = _LEADING_CODE.sub("", (text or "")[:_LONGEST])
    named = _sector_by_name().get(fold(plain))
    if named is not None:
        return named
    industry = industry_from_text(plain)
    if industry is not None:
        return industry.sector
    parts = [part for piece in _LIST.split(plain) for part in reversed(_PATH.split(piece))]
    return next(filter(None, (_sector_by_name().get(fold(part)) for part in parts)), None)


@lru_cache(maxsize=4096)
def sector_from_sic(code: object) -> str | None:
    """The sector of a SIC code, also of one too broad for an industry."""
    digits = _sic_digits(code)
    if not digits:
        return None
    industry = _by_sic(digits)
    if industry is not None:
        return industry.sector
    covering = {i.sector for i in _sic_candidates(digits)}
    if len(covering) == 1:
        return covering.pop()
    major = int(digits[:2]) * 100
    return next((n for n, c in _sector_codes() if any(a <= major <= b for a, b in c.sic)), None)


@lru_cache(maxsize=4096)
def sector_from_naics(code: object) -> str | None:
    """The sector of a NAICS code, also of one too broad for an industry: "51" gives Technology."""
    digits = _digits(code)
    if not digits:
        return None
    industry = _by_naics(digits)
    if industry is not None:
        return industry.sector
    below = {i.sector for prefix, i in _naics_prefixes() if prefix.startswith(digits)}
    if len(digits) > 2 and len(below) == 1:
        return below.pop()
    return next((n for n, c in _sector_codes() if digits[:2] in c.naics), None)


def closest_industries(text: str, limit: int = 3) -> list[str]:
    """Vocabulary names nearest to an unknown value, best first; what it means leads if known."""
    folded = fold(text)
    if not folded:
        return []
    known = industry_from_text(text)
    names: dict[str, None] = {known.name: None} if known else {}
    sector = sector_from_text(text)
    if known is None and sector is not None:
        names.update(
            {i.name: None for i in industries() if i.sector == sector and len(names) < limit}
        )
    near = process.extract(
        folded, list(_by_name()), scorer=fuzz.WRatio, limit=limit * 5, score_cutoff=_CLOSE_ENOUGH
    )
    names.update({_by_name()[alias].name: None for alias, _, _ in near})
    return list(names)[:limit]


def _known(part: str) -> Industry | None:
    folded = fold(part)
    exact = _by_name().get(folded)
    if exact is not None or folded in _sector_by_name():
        return exact
    return _by_words().get(_essence(folded))


def _by_word(part: str) -> Industry | None:
    words = fold(part).split()
    if len(words) > _MAX_WORDS:
        return None
    meant = {_deciding_words()[word] for word in words if word in _deciding_words()}
    return meant.pop() if len(meant) == 1 else None


def _essence(folded: str) -> frozenset[str]:
    """The words that tell industries apart, singular, in any order."""
    return frozenset(_singular(word) for word in folded.split() if word not in _FILLERS)


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _digits(code: object) -> str | None:
    if isinstance(code, float) and code.is_integer():
        code = int(code)
    if isinstance(code, bool) or not isinstance(code, int | str):
        return None
    found = _CODE.match(str(code).strip()[:_LONGEST])
    # "44-45" is one NAICS sector in two numbers.
    return found[1][:2] if found and "-" in found[1] else found[1] if found else None


def _sic_digits(code: object) -> str | None:
    digits = _digits(code)
    if not digits or len(digits) > _SIC_DIGITS:
        return None
    # The SEC writes 0100 as 100; no group of three digits ends in 00.
    return digits.zfill(_SIC_DIGITS) if len(digits) == 3 and digits.endswith("00") else digits


@lru_cache(maxsize=4096)
def _by_sic(digits: str) -> Industry | None:
    found = _sic_candidates(digits)
    return found.pop() if len(found) == 1 else None


def _sic_candidates(digits: str) -> set[Industry]:
    """Industries whose codes a SIC prefix covers; for a whole code, those of the narrowest range."""
    low = int(digits.ljust(_SIC_DIGITS, "0"))
    high = int(digits.ljust(_SIC_DIGITS, "9"))
    spans = [(b - a, i) for a, b, i in _sic_spans() if a <= high and b >= low]
    if len(digits) < _SIC_DIGITS or not spans:
        return {industry for _, industry in spans}
    narrowest = min(width for width, _ in spans)
    return {industry for width, industry in spans if width == narrowest}


@lru_cache(maxsize=4096)
def _by_naics(digits: str) -> Industry | None:
    prefixes = dict(_naics_prefixes())
    for size in range(len(digits), 1, -1):
        if digits[:size] in prefixes:
            return prefixes[digits[:size]]
    below = {industry for prefix, industry in prefixes.items() if prefix.startswith(digits)}
    return below.pop() if len(below) == 1 and len(digits) > 2 else None


@cache
def _listed() -> tuple[tuple[dict[str, str], Industry], ...]:
    """The rows of the table, each with its industry."""
    return tuple(zip(rows_of("industries.tsv"), industries(), strict=True))


def _names(row: dict[str, str]) -> list[str]:
    return [row["name"], *filter(None, row["aliases"].split("|"))]


def _codes(sic: str, naics: str, *, digits: int) -> _Codes:
    spans = []
    for word in sic.split():
        low, _, high = word.partition("-")
        scale = 10 ** (_SIC_DIGITS - digits)
        spans.append((int(low) * scale, (int(high or low) + 1) * scale - 1))
    return _Codes(tuple(spans), tuple(naics.replace("-", " ").split()))


@cache
def _by_name() -> dict[str, Industry]:
    """Every name and alias, folded."""
    names = {fold(name): industry for row, industry in _listed() for name in _names(row)}
    by_name = {industry.name: industry for industry in industries()}
    for name, word in _words():
        if name in by_name:
            names.setdefault(fold(word), by_name[name])
    return names


@cache
def _words() -> tuple[tuple[str, str], ...]:
    """Industry or sector, and a word for it in German, French, Spanish, Italian, Dutch or Portuguese."""
    rows = rows_of("industry_words.tsv")
    return tuple((row["name"], word) for row in rows for word in row["words"].split("|"))


@cache
def _by_words() -> dict[frozenset[str], Industry]:
    """Names and aliases by their distinctive words; those that two industries share are left out."""
    table: dict[frozenset[str], set[Industry]] = {}
    for name, industry in _by_name().items():
        table.setdefault(_essence(name), set()).add(industry)
    table.pop(frozenset(), None)
    return {words: owners.pop() for words, owners in table.items() if len(owners) == 1}


@cache
def _deciding_words() -> dict[str, Industry]:
    return {word: industry for row, industry in _listed() for word in row["words"].split()}


@cache
def _sector_by_name() -> dict[str, str]:
    names = {fold(name): row["name"] for row in rows_of("sectors.tsv") for name in _names(row)}
    for name, word in _words():
        if name in sectors():
            names.setdefault(fold(word), name)
    return names


@cache
def _sector_codes() -> tuple[tuple[str, _Codes], ...]:
    rows = rows_of("sectors.tsv")
    return tuple((row["name"], _codes(row["sic"], row["naics"], digits=2)) for row in rows)


@cache
def _sic_spans() -> tuple[tuple[int, int, Industry], ...]:
    return tuple(
        (low, high, industry)
        for row, industry in _listed()
        for low, high in _codes(row["sic"], "", digits=_SIC_DIGITS).sic
    )


@cache
def _naics_prefixes() -> tuple[tuple[str, Industry], ...]:
    return tuple(
        (prefix, industry) for row, industry in _listed() for prefix in row["naics"].split()
    )
