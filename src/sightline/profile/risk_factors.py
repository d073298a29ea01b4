"""The risk factors of the newest report, caption by caption, compared with the report before."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from sightline.profile.choosing import statement_of
from sightline.profile.contract import Statement
from sightline.profile.evidence import Document, Evidence, Quote, Span
from sightline.profile.figures import PERCENT, Shown, repeats_amount, shown_amounts
from sightline.profile.sentences import Judged, Sentence, is_specific, sentences_of
from sightline.reading.dates import without_days
from sightline.reading.money import sums_in
from sightline.reading.prose import (
    LONGEST,
    WORD,
    points_back,
    speaks_of,
    stands_alone,
    states_fact,
)
from sightline.reading.repeats import Change, changes_of, factor, is_caption
from sightline.reading.stated import has_number, normalized

_SPECIFIC: Final = 0.5
_OF_CAPTION: Final = 0.25  # cosine of a sentence and the caption that it shows
_UNKNOWN: Final = 0.6  # how specific a fact is held to be where sentences were not read
_NEWS: Final = {"new": 0.15, "changed": 0.05, None: 0.0}
_TRIVIAL: Final = 10  # percent, below which a share is no risk
_TURNED: Final = 0.08  # how much nearer a sentence is to good news than to bad
_DENIES: Final = frozenset(("no",))
_IMMATERIAL: Final = frozenset(("material", "materially"))
_FEWEST: Final = 2  # captions, from which a report is one with risk factors


@dataclass(frozen=True, slots=True)
class Risk:
    """A caption with the sentence below it that states the most specific fact: how many, how much, when.
    `specific` is how probably it is true of this company alone, 0 where nothing is stated; `change` is None
    where the report before has it too, or is not known."""

    row: Statement
    day: date
    specific: float
    change: Change | None
    is_named: bool = False  # new, with a name or number in the caption or below it

    @property
    def states_fact(self) -> bool:
        return self.specific >= _SPECIFIC


@dataclass(frozen=True, slots=True)
class _Factor:
    caption: str
    spans: list[Span]

    def text(self, document: Document) -> str:
        return " ".join(document.text[span.start : span.end] for span in self.spans)


def risks(evidence: Evidence) -> list[Risk]:
    """The most specific first; one that is new or changed counts for more."""
    report, before = _reports(evidence)
    if report is None:
        return []
    earlier = [factor(f.caption, f.text(before)) for f in factors(before)] if before else []
    newest = list(factors(report))
    changes: Sequence[Change | None] = [None] * len(newest)
    if len(earlier) >= _FEWEST:
        changes = changes_of([factor(f.caption, f.text(report)) for f in newest], earlier)
    reader = _Report(
        report,
        evidence,
        {each.sentence.text: each for each in evidence.judged},
        shown_amounts(evidence),
    )
    found = [reader.risk(f, change) for f, change in zip(newest, changes, strict=True)]
    return sorted(found, key=lambda risk: -(risk.specific + _NEWS[risk.change]))


def _reports(evidence: Evidence) -> tuple[Document | None, Document | None]:
    """The newest report with risk factors, and the annual report before it."""
    annual, before, *_ = (*_with_risks(evidence.annuals), None, None)
    quarterly = _with_risks(d for d in evidence.reading if d.form == "10-Q")
    return (annual, before) if annual else (next(quarterly, None), None)


def _with_risks(reports: Iterable[Document]) -> Iterator[Document]:
    return (each for each in reports if len(list(factors(each))) >= _FEWEST)


def factors(document: Document) -> Iterator[_Factor]:
    """Captions of the risk factors with the passages below each."""
    factor: _Factor | None = None
    for span in document.passages("risks"):
        heading = _whole(normalized(span.heading or ""))
        if factor is not None and heading == factor.caption:
            factor.spans.append(span)
            continue
        if factor is not None:
            yield factor
        factor = _Factor(heading, [span]) if is_caption(heading) else None
    if factor is not None:
        yield factor


def _whole(heading: str) -> str:
    """A caption without the sentence at whose middle it was cut off, as very long ones are."""
    is_cut = len(heading) > LONGEST and not heading.endswith(".")
    return heading[: heading.rfind(". ") + 1] if is_cut else heading


@dataclass(frozen=True)
class _Report:
    """What a report says below the captions of its risks, as the classifiers read it; `shown` are amounts
    that figures show."""

    report: Document
    evidence: Evidence
    judged: Mapping[str, Judged]
    shown: Sequence[Shown]

    def risk(self, factor: _Factor, change: Change | None) -> Risk:
        """A caption with the sentence below it that states most, or else the first that stands alone."""
        body = [
            each
            for each in _sentences(factor, self.report)
            if stands_alone(each.text) and not factor.caption.startswith(each.text[:-1])
        ]
        stated = {each: self._specific(each) for each in body if self._may_state(each)}
        best = max(stated, key=stated.__getitem__, default=None)
        shown = best or next(iter(body), None)
        quote = Quote(self.report.document_id, factor.caption)
        row = statement_of(shown, self.evidence) if shown is not None else {"sources": ()}
        row |= {"name": factor.caption, "sources": (quote, *row["sources"])}
        specific = stated[best] if best is not None else 0.0
        caption = Sentence(self.report, 0, 0, factor.caption, "risks", None, 0)
        sentences_shown = [caption, *([shown] if shown is not None else ())]
        is_named = change == "new" and any(
            is_specific(s, self.evidence.name) for s in sentences_shown
        )
        return Risk(row, self.report.said_at.date(), specific, change, is_named)

    def _may_state(self, sentence: Sentence) -> bool:
        """Whether a sentence gives a fact of the last year, of the company."""
        is_fact = states_fact(sentence.text) and not points_back(sentence.text)
        is_own = speaks_of(sentence.text, self.evidence.name)
        is_said = self.evidence.is_past_year(sentence) or repeats_amount(sentence.text, self.shown)
        return is_fact and is_own and not is_said

    def _specific(self, sentence: Sentence) -> float:
        """How probably it is true of this company alone; 0 where it is not of what its caption says, denies
        something, is good news or gives nothing that weighs."""
        judged = self.judged.get(sentence.text)
        if not _weighs(sentence, judged):
            return 0.0
        if judged is None:
            return 0.0 if self.judged else _UNKNOWN
        is_good = judged.label == "strength" or judged.near.better >= _TURNED
        is_beside = 0 < judged.near.caption < _OF_CAPTION
        return 0.0 if is_good or is_beside else judged.specific


def _weighs(sentence: Sentence, judged: Judged | None) -> bool:
    """Whether it gives a share that is large, another number than a day, or what a classifier takes for
    harm; and denies nothing."""
    words = {word.casefold() for word in WORD.findall(sentence.text)}
    if words & _DENIES or ("not" in words and words & _IMMATERIAL):
        return False
    shares = [float(each) for each in PERCENT.findall(sentence.text)]
    if shares:
        return max(shares) >= _TRIVIAL or bool(sums_in(sentence.text))
    is_harm = judged is not None and judged.label in ("weakness", "threat")
    return is_harm or has_number(without_days(sentence.text))


def _sentences(factor: _Factor, report: Document) -> Iterator[Sentence]:
    for span in factor.spans:
        yield from sentences_of(report, span.start, span.end, "risks", factor.caption)
