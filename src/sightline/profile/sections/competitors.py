"""Competitors: companies of the catalogue that are named under a heading about competition, and those
that a source gives as competitors."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from uuid import UUID

from sightline.domain.names import name_key
from sightline.match.decide import decide
from sightline.match.index import Index
from sightline.match.model import shipped_weights
from sightline.match.records import Candidate
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Document, Evidence, Known, Quote
from sightline.profile.shapes import Competitor
from sightline.reading.legal_forms import LEGAL_FORM
from sightline.reading.named import capitalized
from sightline.reading.prose import is_whole
from sightline.reading.sentences import sentences
from sightline.reading.stated import normalized

MOST: Final = 25
HEADING: Final = re.compile(r"\b(?:competition|competitors|competitive)\b", re.I)
_JOINS: Final = re.compile(r"[,.]* (?:(?:and|or) )?")
_FEWEST_LISTED: Final = 3
_SHORTEST: Final = 3  # characters of a name
# A name alone, without place or website, must say this much where it is not how the other begins.
_SURE: Final = 0.9


def named(evidence: Evidence) -> dict[str, tuple[str, Quote]]:
    """Name key → (name, the sentence that has it) of what may be companies; the catalogue decides."""
    own = name_key(evidence.name)
    found: dict[str, tuple[str, Quote]] = {}
    for text, document in _under_headings(evidence):
        for start, end in capitalized(text):
            name = text[start:end]
            key = name_key(name)
            if (
                len(key) >= _SHORTEST
                and not LEGAL_FORM.fullmatch(name)
                and not _is_same(key, own)
                and document.words.is_name(name.split()[0])
            ):
                found.setdefault(key, (name, Quote(document.document_id, text)))
    return found


def _under_headings(evidence: Evidence) -> Iterator[tuple[str, Document]]:
    """Whole sentences of passages about competition."""
    for document in evidence.reading:
        if document.form is None:
            continue
        for span in document.passages("business"):
            if not HEADING.search(span.heading or ""):
                continue
            passage = document.text[span.start : span.end]
            for first, last in sentences(passage):
                text = normalized(passage[first:last])
                yield text, document


def _is_same(key: str, own: str) -> bool:
    return key == own or own.startswith(f"{key} ") or key.startswith(f"{own} ")


def match_names(names: Mapping[str, str], catalogue: Sequence[Known]) -> dict[str, Known]:
    """Name key → the company meant, of names by their key; those that may mean several have none.

    A company whose key is the same is meant, unless several have it; else the matcher decides.
    """
    same: dict[str, list[Known]] = defaultdict(list)
    for known in catalogue:
        same[name_key(known.name)].append(known)
    found = {key: same[key][0] for key in names if len(same.get(key, ())) == 1}
    open_names = {key: name for key, name in names.items() if key not in same}
    if not open_names or not catalogue:
        return found
    return found | dict(_decided(open_names, catalogue))


def _decided(names: Mapping[str, str], catalogue: Sequence[Known]) -> Iterator[tuple[str, Known]]:
    """The companies that the matcher takes names for."""
    by_id = {str(known.company_id): known for known in catalogue}
    index = Index(
        Candidate(id=i, name=known.name, domain=known.domain) for i, known in by_id.items()
    )
    asked = [Candidate(id=key, name=name) for key, name in names.items()]
    for each, scored in zip(asked, index.query_many(asked), strict=True):
        best = decide(scored)
        if best.outcome != "matched" or best.best is None:
            continue
        known = by_id[best.best.id]
        if best.best.score >= max(_least(each.id, known), shipped_weights().threshold):
            yield each.id, known


def _least(key: str, known: Known) -> float:
    """What a company must score: less when its name begins with the words that are said."""
    return 0.0 if name_key(known.name).startswith(f"{key} ") else _SURE


def build(evidence: Evidence) -> list[Statement]:
    mentioned = named(evidence)
    others = {k: c for k, c in evidence.directory.items() if c.company_id != evidence.company_id}
    known = {key: others[key] for key in mentioned if key in others}
    rows: dict[str, Statement] = {}  # by name key
    found: dict[UUID, str] = {}
    for key, company in known.items():
        if found.setdefault(company.company_id, key) == key:
            own, quote = {"company_id": str(company.company_id)}, mentioned[key][1]
            rows[name_key(company.name)] = _row(company.name, quote, company.site, **own)
    for key in [key for key in mentioned if key not in known]:
        if any(known.keys() & beside for beside in _beside(*mentioned[key])):
            rows.setdefault(key, _row(*mentioned[key]))
    for fact in evidence.members("competitor"):
        name = str(fact.value.get("name") or "")
        if (key := name_key(name)) not in {"", *known}:
            rows.setdefault(key, _row(name, fact.proof, fact.value.get("website")))
    return list(rows.values())[:MOST]


def _row(name: str, quote: Quote, website: str | None = None, **more: str) -> Statement:
    said = normalized(quote.text or "")
    text = said if is_whole(said) else f"Named as a competitor: {name}."
    site = {"website": website} if website else {}
    return {"name": name, **more, **site, "description": text, "sources": (quote,)}


def _beside(name: str, quote: Quote) -> Iterator[set[str]]:
    """Of each list in a sentence that has the name, the keys of the names in it: what stands in one list with
    a company is one."""
    text = normalized(quote.text or "")
    names: list[str] = []
    reached = 0
    for start, end in (*capitalized(text), (len(text), len(text))):
        if names and not _JOINS.fullmatch(text[reached:start]):
            if len(names) >= _FEWEST_LISTED and name in names:
                yield {name_key(each) for each in names}
            names = []
        names += [] if LEGAL_FORM.fullmatch(text[start:end]) else [text[start:end]]
        reached = end


SECTION = Section(
    "competitors", "Competitors", Competitor, kinds=("filing", "page", "news"), build=build
)
