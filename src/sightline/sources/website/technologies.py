"""Technologies of a site, by our own fingerprints in `technologies.toml`.

Each hit says what showed it (`evidence_kind`) and gives the words. What a page merely writes about
never counts: patterns look at headers, cookies, addresses of resources, markup and scripts, not at text.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import re2

from sightline.domain.technologies import products
from sightline.sources.website.document import Page, read_table

EvidenceKind = Literal["header", "cookie", "script", "inline", "markup", "meta", "link"]


@dataclass(frozen=True, slots=True)
class Technology:
    """A technology in use, with what showed it: `evidence` are the words or the address."""

    name: str
    vendor: str
    category: str
    evidence_kind: EvidenceKind
    evidence: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A row of `technologies.toml`; patterns by the kind of evidence, in RE2 syntax, case ignored."""

    name: str
    vendor: str
    category: str
    patterns: dict[EvidenceKind, tuple[str, ...]]
    implies: tuple[str, ...]


# How sure one hit of a kind is. A link may lead to a tool of another company.
_CONFIDENCE: dict[EvidenceKind, float] = {
    "header": 0.95, "cookie": 0.9, "meta": 0.95, "script": 0.95, "inline": 0.85, "markup": 0.85, "link": 0.6,
}  # fmt: skip
# Where one file of a page comes from tells less of what the site itself is hosted on.
_HOSTING = frozenset({"CDN", "cloud", "hosting"})
# A library comes from where the site wants it; the file of a service comes from the service.
_CHOSEN = _HOSTING | {"framework", "fonts"}
_OF_A_FILE = 0.6
_ORDER: tuple[EvidenceKind, ...] = (
    "header", "meta", "script", "cookie", "inline", "markup", "link",
)  # fmt: skip
_MAX_SCANNED = 1_500_000
# Most tags of vendors are put into a page by a few lines of script that name the file to load.
_LOADED = re.compile(
    r"""["'`](?:https?:)?//([^"'`\s<>]{4,300}?\.js(?:\?[^"'`\s<>]{0,200})?)["'`]"""
)
_COMMENT = re.compile(r"<!--(?!\[if)(.{3,300}?)-->", re.DOTALL)
_TAG_WITH_ATTRIBUTES = re.compile(
    r"<(?:html|body|div|section|main|meta|link|nav|img|form|script|input|a|[a-z]++-[a-z-]++)\b[^<>]{3,1500}>",
    re.IGNORECASE,
)


def find_technologies(page: Page) -> list[Technology]:
    """Every technology whose fingerprint a page bears, each once, by its best evidence."""
    found: dict[str, Technology] = {}
    subjects = _subjects(page)
    scripts = dict.fromkeys(_LOADED.findall(subjects["inline"].replace("\\/", "/")))
    loaded = "\n".join(f"//{each}" for each in scripts)
    for kind, finder, subject in (
        *((kind, kind, subjects[kind]) for kind in _ORDER), ("inline", "script", loaded),
    ):  # fmt: skip
        for fingerprint, quote in _finders()[finder].search(subject) if subject else ():
            found.setdefault(fingerprint.name, _technology(fingerprint, kind, quote))
    _leave_others_hosting(found)
    for name in list(found):
        tool = found[name]
        for implied in _by_name()[name].implies:
            if implied not in found:
                found[implied] = _technology(_by_name()[implied], tool.evidence_kind, tool.evidence)
    return list(found.values())


def _leave_others_hosting(found: dict[str, Technology]) -> None:
    """Drop hosting that only the file of another tool shows: its maker pays for that, not the site."""
    tools = {each.evidence for each in found.values() if each.category not in _CHOSEN}
    for name, each in list(found.items()):
        if each.category in _HOSTING and each.evidence in tools:
            del found[name]


def _technology(fingerprint: Fingerprint, kind: EvidenceKind, quote: str) -> Technology:
    elsewhere = fingerprint.category in _HOSTING and kind in {"script", "inline"}
    return Technology(
        fingerprint.name,
        fingerprint.vendor,
        fingerprint.category,
        kind,
        quote[:300],
        _OF_A_FILE if elsewhere else _CONFIDENCE[kind],
    )


def _subjects(page: Page) -> dict[EvidenceKind, str]:
    """The text that the patterns of each kind look at: one value a line."""
    cookies = page.headers.get("set-cookie", "")
    names = [found[1] for found in re.finditer(r"(?:^|[,\n]\s*)([\w.%-]{2,80})=", cookies)]
    comments = [" ".join(found[1].split()) for found in _COMMENT.finditer(page.html[:_MAX_SCANNED])]
    tags = _TAG_WITH_ATTRIBUTES.finditer(page.html[:_MAX_SCANNED])
    markup = [*comments, *(" ".join(found[0].split()) for found in tags)]
    named = ((name, content) for name, contents in page.metas.items() for content in contents)
    meta = [f"{name}: {content}" for name, content in named if len(content) < 500]
    links = [anchor.url for anchor in page.anchors if anchor.url.startswith("http")] + page.forms
    headers = [f"{name}: {value}" for name, value in page.headers.items() if name != "set-cookie"]
    return {
        "header": "\n".join(headers),
        "cookie": "\n".join(names),
        "meta": "\n".join(meta),
        "script": "\n".join(dict.fromkeys(page.resources)),
        "inline": "\n".join(page.inline_scripts)[:_MAX_SCANNED],
        "markup": "\n".join(markup)[:_MAX_SCANNED],
        "link": "\n".join(dict.fromkeys(links)),
    }


class _Finder:
    """All patterns of one kind of evidence, run over a text at once."""

    def __init__(self, kind: EvidenceKind, fingerprints: Iterable[Fingerprint]) -> None:
        self.rows: list[tuple[Fingerprint, Any]] = []
        options = re2.Options()
        options.case_sensitive = False
        options.max_mem = 64 << 20
        options.log_errors = False
        self.set = re2.Set.SearchSet(options)
        for fingerprint in fingerprints:
            for pattern in fingerprint.patterns.get(kind, ()):
                multiline = f"(?m){pattern}"
                whole = f"{multiline}.*" if kind in {"script", "link"} else multiline
                self.set.Add(multiline)
                self.rows.append((fingerprint, re2.compile(whole, options)))
        self.set.Compile()

    def search(self, text: str) -> list[tuple[Fingerprint, str]]:
        """Hits in the order of the table, each with the line, or the words in a long line."""
        hits = []
        for index in sorted(self.set.Match(text) or ()):
            fingerprint, pattern = self.rows[index]
            found = pattern.search(text)
            if found is not None:
                hits.append((fingerprint, _quote(text, found.start(), found.end())))
        return hits


def _quote(text: str, start: int, end: int) -> str:
    """The line about a hit when it is short, else the hit with a little around it."""
    begin = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    if stop - begin <= 200:
        return text[begin:stop].strip()
    return " ".join(text[max(begin, start - 30) : min(stop, end + 60)].split())


def _any_quotes(pattern: str) -> str:
    """A pattern of markup that is written with double quotes, for pages with single ones or none."""
    return re.sub(r'\[\^"\]|"', lambda found: "[\"']?" if found[0] == '"' else "[^\"'>]", pattern)


@cache
def fingerprints() -> tuple[Fingerprint, ...]:
    """The rows of `technologies.toml`."""
    return tuple(map(_fingerprint, read_table("technologies.toml")["technology"]))


def _fingerprint(row: dict[str, Any]) -> Fingerprint:
    name = row["name"]
    known = products().get(name)
    patterns: dict[EvidenceKind, tuple[str, ...]] = {
        kind: tuple(map(_any_quotes, row[kind]) if kind == "markup" else row[kind])
        for kind in _ORDER
        if kind in row
    }
    return Fingerprint(
        name,
        known.vendor if known else row.get("vendor", name),
        known.category if known else row["category"],
        patterns,
        tuple(row.get("implies", ())),
    )


@cache
def _by_name() -> dict[str, Fingerprint]:
    """The rows of the table, and without patterns the products that a row may imply."""
    known = {
        product.name: Fingerprint(product.name, product.vendor, product.category, {}, ())
        for product in products().values()
    }
    return known | {fingerprint.name: fingerprint for fingerprint in fingerprints()}


@cache
def _finders() -> dict[EvidenceKind, _Finder]:
    return {kind: _Finder(kind, fingerprints()) for kind in _ORDER}
