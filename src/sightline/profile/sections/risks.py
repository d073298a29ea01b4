"""Risks: what reports state below the captions of their risk factors, and of their cases: how many, how much,
or when. A caption that the report of the year before has not is new."""

from collections.abc import Sequence
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
    changed = changes(evidence.annuals)
    found = [each.sentence for each in evidence.chosen.get("risks", ())]
    return [_row(evidence, each, changed) for each in found]


def _row(evidence: Evidence, sentence: Sentence, changed: dict[str, Change | None]) -> Statement:
    row, caption = statement_of(sentence, evidence), caption_of(sentence.heading)
    if sentence.part != "risks" or not is_caption(caption):
        return row
    quotes = (sentence.document.quote(caption), *row["sources"])
    return row | {"name": caption, "change": changed.get(caption), "sources": quotes}


SECTION = Section(
    "risks",
    "Risks",
    plan=Plan(
        "Exposures of this company alone: a case, customer, supplier, country, debt or deadline that it"
        " names, with its figure or day; first what is new or changed in the newest report. What has already"
        " happened is a weakness or threat.",
    ),
    kinds=("filing",),
    build=build,
    like=(
        "A court or agency opened an investigation or a lawsuit against us.",
        "A regulator will not approve our products until we comply with its requirements.",
        "We depend on a few suppliers and manufacturers.",
        "A cyberattack exposed data of our customers.",
    ),
)
