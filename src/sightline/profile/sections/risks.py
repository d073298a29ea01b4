"""Risks: captions of the newest annual report that are new or have a fact of the last year below them, and
what reports state of the company's cases, incidents and dependencies in that year."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from sightline.profile.choosing import statement_of
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Document, Evidence
from sightline.profile.plans import Plan
from sightline.profile.sentences import Sentence
from sightline.reading.prose import LONGEST
from sightline.reading.repeats import Change, Factor, changes_of, factor, is_caption
from sightline.reading.stated import normalized

_FEWEST: Final = 2  # captions, from which a report is one with risk factors
_MOST, _MOST_ALONE = 8, 4


def factors(document: Document) -> dict[str, Factor]:
    """The risk factors of a report by caption."""
    texts: dict[str, str] = {}
    for span in document.passages("risks"):
        heading = caption_of(span.heading)
        if is_caption(heading):
            texts[heading] = f"{texts.get(heading, '')} {document.text[span.start : span.end]}"
    return {caption: factor(caption, text) for caption, text in texts.items()}


def caption_of(heading: str | None) -> str:
    """A caption without the sentence at whose middle it was cut off, as very long ones are."""
    said = normalized(heading or "")
    is_cut = len(said) > LONGEST and not said.endswith(".")
    return said[: said.rfind(". ") + 1] if is_cut else said


def changes(reports: Sequence[Document]) -> dict[str, Change | None]:
    """By caption of the newest annual report, whether it is new or changed against the one before."""
    newest, before = (factors(each) for each in reports[:2]) if len(reports) > 1 else ({}, {})
    if min(len(newest), len(before)) < _FEWEST:
        return {}
    found = changes_of(list(newest.values()), list(before.values()))
    return dict(zip(newest, found, strict=True))


def build(evidence: Evidence) -> list[Statement]:
    """What is new first, then what has a fact of the last year."""
    changed = changes(evidence.annuals)
    facts = [each.sentence for each in evidence.chosen.get("risks", ())]
    rows = [_below(each, evidence) for each in facts]
    rows += islice(_new(evidence, changed, told={row["name"] for row in rows}), _MOST_ALONE)
    rows = [row | {"change": changed.get(row["name"])} for row in rows]
    return sorted(rows, key=lambda row: row["change"] != "new")[:_MOST]


def _new(
    evidence: Evidence, changed: dict[str, Change | None], *, told: set[str]
) -> Iterator[Statement]:
    """New captions that are not told, by themselves."""
    for caption, change in changed.items():
        if evidence.annual is not None and change == "new" and caption not in told:
            sources = (evidence.annual.quote(caption),)
            day = evidence.annual.said_at.date().isoformat()
            yield {"name": caption, "as_of": day, "description": caption, "sources": sources}


def _below(sentence: Sentence, evidence: Evidence) -> Statement:
    """A fact under the caption that it stands below; of legal proceedings by itself."""
    row, caption = statement_of(sentence, evidence), caption_of(sentence.heading)
    if sentence.part != "risks":
        return row
    return row | {"name": caption, "sources": (sentence.document.quote(caption), *row["sources"])}


SECTION = Section(
    "risks",
    "Risks",
    plan=Plan(
        "Exposures of this company alone: a case, customer, supplier, country, debt or deadline that it"
        " names, with its figure or day and what it could bring; first what is new or changed in the newest"
        " report. What has already happened is a weakness or threat.",
        most=6,
    ),
    kinds=("filing",),
    build=build,
    holds=("risk",),
)
