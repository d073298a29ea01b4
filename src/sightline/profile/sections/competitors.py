"""Competitors: companies that the text names as such, tied to the catalogue where it knows them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from sightline.domain.names import name_key
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Document, Evidence, Quote, Span
from sightline.profile.rival_names import (
    CUE,
    compared_in,
    named_in,
    names_of,
    speaks_of_others,
    without_form,
)
from sightline.profile.sentences import cut, spaced

MOST: Final = 25
_LONG: Final = 700  # characters of a sentence that names many
_LONGEST_ENTRY: Final = 80  # characters of a line of a list that is a name
_UNREAD: Final = ("notes", "other", "properties")  # parts of filings
_HEADING = re.compile(
    r"\bcompetit(?:ion|ors)\b|\bcompetitive (?:landscape|environment|conditions|position|market)",
    re.I,
)
_BULLETS: Final = "•●▪■◦·*–-"
_TRAILING = re.compile(r"[;,](?: and| or)?$")
_OWN = re.compile(
    r"\b(?:we|our|us|ours|wir|uns\w*|nous|notre|nos|nosotros|nuestr\w+|competimos)\b", re.I
)
_COMPARES = re.compile(r"(?:^|[/_-])(?:vs|versus|compar\w*|alternativ\w*)(?:[/_.-]|$)", re.I)
_COMPARING_ROLES: Final = ("home", "products", "pricing", "about", "customers")
_COLUMN = re.compile(r"\bcompetitors?\b|\brivals?\b|\bconcurrents?\b|\bwettbewerber\b", re.I)


@dataclass(frozen=True, slots=True)
class _Named:
    """Names with the words that prove them. `weight` tells how surely they are competitors."""

    names: tuple[str, ...]
    quote: str
    weight: float


def candidate_names(evidence: Evidence) -> dict[str, tuple[str, Quote, float]]:
    """Name key → (name, proof, weight) of every company named as a competitor."""
    if "competitors" not in evidence.memo:
        evidence.memo["competitors"] = _candidate_names(evidence)
    found: dict[str, tuple[str, Quote, float]] = evidence.memo["competitors"]
    return found


def _candidate_names(evidence: Evidence) -> dict[str, tuple[str, Quote, float]]:
    own = name_key(evidence.name)
    found: dict[str, tuple[str, Quote, float]] = {}
    for document in evidence.reading:
        if document.kind == "posting":
            continue
        for named in _named(document, evidence):
            for said in named.names:
                name = without_form(said)
                key = name_key(name)
                if not key or key == own or own.startswith(key + " ") or key.startswith(own + " "):
                    continue
                key = next((other for other in found if other == key or _same(other, key)), key)
                known = found.get(key)
                if known is None:
                    proof = Quote(document.document_id, named.quote)
                    found[key] = (name, proof, named.weight)
                else:  # the surest proof is shown
                    better = named.weight > known[2]
                    proof = Quote(document.document_id, named.quote) if better else known[1]
                    found[key] = (known[0], proof, max(known[2], named.weight) + 0.1)
    return found


def names_said(evidence: Evidence) -> dict[str, str]:
    """Name key → name of every competitor, named in words or as a fact."""
    said = {key: name for key, (name, _, _) in candidate_names(evidence).items()}
    facts = (str(fact.value.get("name") or "") for fact in evidence.members("competitor"))
    return {name_key(name): name for name in facts if name_key(name)} | said


def _same(left: str, right: str) -> bool:
    """Whether two keys are one company: one begins the other, or is its initials."""
    shorter, longer = sorted((left, right), key=len)
    words = longer.split()
    initials = "".join(word[0] for word in words)
    return longer.startswith(f"{shorter} ") or (len(words) > 2 and shorter == initials)


def _named(document: Document, evidence: Evidence) -> Iterator[_Named]:
    own = re.split(r"[\s,.]+", evidence.name)[0]
    filed = document.form is not None
    compares = bool(_COMPARES.search(document.url.partition("://")[2].partition("/")[2]))
    for span, part in zip(document.spans, document.parts, strict=True):
        if part in _UNREAD and document.kind == "filing":
            continue
        yield from _in_span(document, span, own=own, under=filed and part == "business")
        if not filed and (compares or part in _COMPARING_ROLES):
            for line in _lines(document, span):
                if names := compared_in(line, own=own):
                    yield _Named(tuple(names), spaced(line), 1.5)


def _lines(document: Document, span: Span) -> list[str]:
    return document.text[span.start : span.end].split("\n")


def _in_span(document: Document, span: Span, *, own: str, under: bool) -> Iterator[_Named]:
    """What the lines of a passage name: sentences, the lists they lead, tables of competitors."""
    under = under and bool(_HEADING.search(span.heading or ""))
    lead = False
    column: int | None = None
    for line in _lines(document, span):
        if " | " in line:
            column, entry = _row(line, column)
            if entry:
                yield _Named(tuple(entry), spaced(line), 2.0)
            continue
        column = None
        shown = line.strip().lstrip(_BULLETS + " ")
        if lead and (names := _entry(shown)):
            yield _Named(names, spaced(_TRAILING.sub("", shown)), 2.0 if under else 1.5)
            continue
        listed = line.lstrip()[:1] in tuple(_BULLETS)
        for first, last in cut(shown):
            sentence = _TRAILING.sub("", spaced(shown[first:last]))
            speaks = bool(CUE.search(sentence)) and not speaks_of_others(sentence)
            if document.form is None:
                speaks = speaks and (bool(_OWN.search(sentence)) or _begins(own, sentence))
            if speaks or under or lead:
                led = under or lead or sentence[:1].islower()
                if names := tuple(named_in(sentence, under=led)):
                    weight = (2.0 if under else 1.0) * (0.9 if len(sentence) > _LONG else 1.0)
                    yield _Named(names, sentence, weight)
            if sentence.strip():
                lead = (speaks and sentence.rstrip().endswith(":")) or (lead and listed)


def _begins(own: str, sentence: str) -> bool:
    """Whether a sentence names the company by how its name begins."""
    return bool(own) and re.search(rf"\b{re.escape(own)}\b", sentence, re.I) is not None


def _entry(line: str) -> tuple[str, ...]:
    """The names of a line that is nothing but names: an entry of a list."""
    text = _TRAILING.sub("", line).strip(" .;,")
    if not 2 <= len(text) <= _LONGEST_ENTRY:
        return ()
    names = names_of(text, brands=False)
    return tuple(names) if sum(map(len, names)) * 2 > len(text) else ()


def _row(line: str, column: int | None) -> tuple[int | None, list[str]]:
    """A line of a table: in which column competitors stand, and the names of this row."""
    cells = [cell.strip() for cell in line.split(" | ")]
    heads = [
        at for at, cell in enumerate(cells) if _COLUMN.search(cell) and len(cell) < _LONGEST_ENTRY
    ]
    if column is None:
        return (heads[0] if heads else None), []
    return column, list(_entry(cells[column])) if column < len(cells) else []


def build(evidence: Evidence) -> list[Statement]:
    rows: dict[str, tuple[float, Statement]] = {}
    for key, (name, proof, weight) in candidate_names(evidence).items():
        rows[key] = (weight, {"name": name, "description": proof.text, "sources": (proof,)})
    for fact in evidence.members("competitor"):
        name = str(fact.value.get("name") or "")
        key = name_key(name)
        if not key or key in rows:
            continue
        row: Statement = {
            "name": name,
            "description": fact.quote or f"Named as a competitor: {name}.",
        }
        row["sources"] = (fact.proof,)
        if fact.value.get("website"):
            row["website"] = fact.value["website"]
        rows[key] = (1.5 * fact.confidence, row)
    for key, (_, row) in rows.items():
        _tie(evidence, key, row)
    ranked = sorted(rows.values(), key=lambda entry: -entry[0])
    return [_ordered(row) for _, row in ranked[:MOST]]


def _tie(evidence: Evidence, key: str, row: dict[str, Any]) -> None:
    known = evidence.directory.get(key)
    if known is None:
        return
    row["company_id"] = str(known.company_id)
    if known.domain:
        row["website"] = f"https://{known.domain}"


def _ordered(row: Statement) -> Statement:
    first = {part: row[part] for part in ("name", "website", "description") if part in row}
    return first | row


SECTION = Section("competitors", ("filing", "page", "news"), build)
