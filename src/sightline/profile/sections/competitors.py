"""Competitors: companies of the catalogue that are named under a heading about competition, and those
that a source gives as competitors."""

import re
from collections.abc import Iterator
from typing import Final

from sightline.domain.names import name_key
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Document, Evidence, Quote
from sightline.profile.sentences import is_whole, spaced
from sightline.profile.shapes import Competitor
from sightline.reading.sentences import sentences

MOST: Final = 25
HEADING: Final = re.compile(r"\b(?:competition|competitors|competitive)\b", re.I)
# Words in capitals that follow each other: "Osprey Cargo", "AT&T", "Bank of Oslo".
_NAME: Final = re.compile(
    r"(?<![\w&])[A-Z][\w&’'.-]*(?:(?: (?:of|and|the|&))? [A-Z][\w&’'.-]*){0,4}"
)
_SHORTEST: Final = 3  # characters of a name


def named(evidence: Evidence) -> dict[str, tuple[str, Quote]]:
    """Name key → (name, the sentence that has it) of what may be companies; the catalogue decides."""
    own = name_key(evidence.name)
    found: dict[str, tuple[str, Quote]] = {}
    for text, document in _under_headings(evidence):
        for match in _NAME.finditer(text):
            for name in _parts(match[0].strip(" .,")):
                key = name_key(name)
                if (
                    len(key) >= _SHORTEST
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
                text = spaced(passage[first:last])
                yield text, document


def _parts(name: str) -> Iterator[str]:
    """The name, and where it has "and" in it what stands on each side."""
    yield name
    if " and " in name:
        yield from name.split(" and ")


def _is_same(key: str, own: str) -> bool:
    return key == own or own.startswith(f"{key} ") or key.startswith(f"{own} ")


def build(evidence: Evidence) -> list[Statement]:
    rows: dict[str, Statement] = {}
    for key, (_, quote) in named(evidence).items():
        known = evidence.directory.get(key)
        if known is None or known.company_id == evidence.company_id:
            continue
        row: Statement = {"name": known.name, "company_id": str(known.company_id)}
        row |= {"website": f"https://{known.domain}"} if known.domain else {}
        text = quote.text if is_whole(str(quote.text)) else f"Named as a competitor: {known.name}."
        row |= {"description": text, "sources": (quote,)}
        rows.setdefault(str(known.company_id), row)
    for fact in evidence.members("competitor"):
        name = str(fact.value.get("name") or "")
        if name_key(name) and not any(name_key(r["name"]) == name_key(name) for r in rows.values()):
            site = {"website": fact.value["website"]} if fact.value.get("website") else {}
            said = fact.quote if fact.quote and is_whole(spaced(fact.quote)) else None
            text = said or f"Named as a competitor: {name}."
            rows[name] = {"name": name, **site, "description": text, "sources": (fact.proof,)}
    return list(rows.values())[:MOST]


SECTION = Section(
    "competitors", "Competitors", Competitor, kinds=("filing", "page", "news"), build=build
)
