"""Company names in lines of text: copyright lines, imprints, and what is not a name."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from sightline.domain.names import fold, name_key
from sightline.reading.legal_forms import FORMS, LEGAL_FORM
from sightline.reading.sentences import sentences
from sightline.sources.website.document import Line, vocabulary, words_pattern

_COPYRIGHT = re.compile(
    r"(?:©|\(c\)|&copy;|\bcopyright\b)[\s,:©]*(?:\(c\)\s*)?(?:by\s+)?(?:(?:19"
    r"|20)\d{2}(?:\s*[-–—/]\s*(?:\d{4}|\d{2}|present|heute))?"
    r"[\s,.:|–-]*)?(?:by\s+)?(.{2,140})",
    re.IGNORECASE,
)
_BEFORE_YEAR = re.compile(r"^(.{2,100}?)[\s,]*(?:©|\(c\)|\bcopyright\b)", re.IGNORECASE)
_PARTS = re.compile(r"\s*[|•·»｜]\s*|\s[–—:-]\s|:\s|(?<=\S)[–—]\s")
_BREAKS = " ,|–—-·•:"
_BEFORE_NAME = re.compile(
    r"^(?:by|von|par|the copyright of|copyright|an?(?=\s[A-Z]))\s+", re.IGNORECASE
)
_EDGES = " .,;:!?()[]|\"“”„«»'’®™©-–—"
_HOST = re.compile(r"(?:https?://)?(?:www\.)?[\w-]+(?:\.[a-z]{2,})+/?", re.IGNORECASE)
_PART = 4  # letters of the shortest word that a domain is divided into
_LONGEST = 6
"""Words; what is longer and has no legal form says something of the company."""
_AFTER_NAME = re.compile(
    r"[\s.,|–—·•-]*(?:\b(?:all rights|alle rechte|tous droits|todos los derechos|all right|rights reserved|"
    r"registered|company number|designed|powered|website|web design|site by|built|privacy|terms|impressum|"
    r"cookie|datenschutz|mentions|trademark|is a |are |and its|its affiliates|or its|and/or|"
    r"use of|version|v\d|made (?:with|in)|created|theme|proudly|tutti i diritti|todos os direitos|"
    r"alla rättigheter|reserved|sitemap|disclaimer|legal|imprint|unless|except|contact|developed)\b"
    r"|[|•·©]|\s[–—-]\s|(?:19|20)\d{2}|\d{1,2}/\d{1,2}).*$",
    re.IGNORECASE,
)
_LEGAL_NAME = re.compile(
    rf"^((?:The\s)?[A-ZÀ-ÞÄÖÜ0-9][^,;:|!?]{{1,80}}?,?\s{FORMS}\.?(?=$|[\s,;.)|]))"
)
_ABBREVIATED = re.compile(r"\b(?:Inc|Corp|Co|Ltd|S\.A|L\.P|B\.V|N\.V)$")
_GENERIC_NAMES = frozenset(map(fold, vocabulary()["names"]["no_name"]))

PLATFORMS = frozenset(
    ["blogger", "wordpress", "wordpress com", "medium", "substack", "wix", "wix com", "squarespace",
     "weebly", "tumblr", "ghost", "hubspot", "webflow", "shopify", "joomla", "drupal", "blogspot"]
)  # fmt: skip
"""Makers of sites that write their own name into the data of the pages that they serve."""


def copyright_name(text: str) -> str | None:
    """The holder in a copyright line: "© 2019–2024 Foo Inc. All rights reserved." gives "Foo Inc."."""
    name = _holder(text)
    if spans := sentences(name):
        name = name[: spans[0][1]]
    form = max(LEGAL_FORM.finditer(name), key=re.Match.end, default=None)
    name = (name[: form.end()] if form is not None else name).strip(_BREAKS)
    if _ABBREVIATED.search(name) and f"{name}." in text:
        name += "."
    if not LEGAL_FORM.search(name):
        name = name.rstrip(".")
    is_name = is_plausible(name) and len(name.split()) <= 8 and "@" not in name
    return name if is_name and (form or _begins_as_name(name)) else None


def _holder(text: str) -> str:
    """What stands behind the sign, or else before it."""
    found, before = _COPYRIGHT.search(text), _BEFORE_YEAR.search(text)
    name = _BEFORE_NAME.sub("", _AFTER_NAME.sub("", found[1]).strip(_BREAKS)) if found else ""
    return name or (before[1].strip(_BREAKS) if before else "")


def _begins_as_name(name: str) -> bool:
    return name[0].isupper() or name[0].isdigit()


def legal_name_in(lines: list[Line]) -> tuple[str, Line] | None:
    """The first registered name that opens a line: as imprints give it above the address."""
    for line in lines:
        if 4 <= len(line.text) <= 160:
            found = _LEGAL_NAME.match(line.text)
            if (
                found
                and len(found[1].split()) <= 10
                and not words_pattern("names", "no_company").search(found[1])
            ):
                return found[1].strip(" ,"), line
    return None


def without_slogan(name: str, site: str) -> str:
    """A name without what is said beside it: of "Foo | Better lamps" the part that the domain repeats,
    else the first part; parts that are no name are left out. An address is not a name: "" then."""
    name = " ".join(name[:300].split())
    parts = [part.strip(" /|–—-:·•") for part in _PARTS.split(name)]
    parts = [part for part in parts if is_plausible(part) and not part.startswith("www.")]
    parts = [part for part in parts if len(part.split()) <= _LONGEST or LEGAL_FORM.search(part)]
    own = [part for part in parts if names_site(part, site)]
    return min(own, key=len) if own else next(iter(parts), "")


def names_site(name: str, site: str) -> bool:
    """Whether a name and a domain are spelled alike."""
    key = name_key(name).replace(" ", "") if name.strip() else ""
    label = fold(site.split(".")[0]).replace(" ", "")
    return bool(key) and len(label) > 2 and (key in label or label in key)


def spelled_name(lines: Sequence[Line], site: str) -> tuple[str, Line, int] | None:
    """How the text writes the name that the domain is made of ("pointtaken.no": "Point Taken"), most
    often; the first line that does, and how often."""
    label = fold(site.partition(".")[0]).replace(" ", "")
    counts: Counter[str] = Counter()
    first: dict[str, Line] = {}
    for line in lines:
        for name in _spellings(line.text, label):
            counts[name] += 1
            first.setdefault(name, line)
    if not counts:
        return None
    name, count = max(counts.items(), key=lambda each: (each[0].lower() != each[0], each[1]))
    return name, first[name], count


def _spellings(text: str, label: str) -> Iterator[str]:
    words = text.split()
    keys = [fold(word).replace(" ", "") for word in words]
    for start, key in enumerate(keys):
        joined, end = key, start + 1
        while joined and len(joined) < len(label) and end < len(words) and label.startswith(joined):
            joined, end = joined + keys[end], end + 1
        if joined == label and keys[end - 1]:
            yield " ".join(words[start:end]).strip(_EDGES)


def divided_name(lines: Sequence[Line], site: str) -> str | None:
    """The label of a domain as words that the page's text has: "intermountaincare.org" in two."""
    label = fold(site.partition(".")[0]).replace(" ", "")
    words: dict[str, str] = {}
    for line in lines:
        for word in line.text.split():
            bare = word.strip(_EDGES)
            if len(bare) >= _PART and bare.isalpha() and bare.lower() in label:
                words.setdefault(bare.lower(), bare.capitalize())
    for end in range(len(label) - _PART, _PART - 1, -1):
        if label[:end] in words and label[end:] in words:
            return f"{words[label[:end]]} {words[label[end:]]}"
    return None


def is_plausible(name: str) -> bool:
    folded = fold(name)
    known = not folded or folded in _GENERIC_NAMES or folded.isdigit()
    return not known and 1 < len(name) <= 120 and "_" not in name and "://" not in name


def is_host(name: str) -> bool:
    return _HOST.fullmatch(name.strip()) is not None
