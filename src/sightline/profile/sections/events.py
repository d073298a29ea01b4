"""Events: fiscal periods with revenue and change, and what each earnings release says (exhibit 99)."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from sightline.kit.ids import id_within
from sightline.profile.choosing import chosen_of, statement_of, without_repeats
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Document, Evidence, FactSeen, Quote
from sightline.profile.segments import whole_number
from sightline.profile.sentences import Sentence
from sightline.profile.shapes import FiscalEvent
from sightline.profile.years import periods
from sightline.reading.dates import periods_in
from sightline.reading.money import sums_in
from sightline.reading.prose import stands_alone
from sightline.reading.stated import normalized

MOST: Final = 8
_PER_LIST: Final = 4
_MOST_RESULTS: Final = 6
_RELEASED_WITHIN: Final = timedelta(days=100)
_SAYS: Final = r"(?:said|commented|stated|added|noted|says)"
_WHO: Final = r"(?P<who>[A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){1,3})"
_SPOKEN: Final = (
    re.compile(
        rf"[“\"](?P<words>[A-Z][^”\"]{{29,900}})[,.]?[”\"],?\s*{_SAYS}\s+{_WHO}"
        r"(?:,\s*(?P<title>[^.“\"]{3,120}))?"
    ),
    re.compile(
        rf"{_WHO}(?:,\s*(?P<title>[^.“\";]{{3,120}}),)?\s{_SAYS}[,:]\s*"
        r"[“\"](?P<words>[A-Z][^”\"]{29,900})[”\"]"
    ),
)


def _periods(evidence: Evidence) -> list[FactSeen]:
    """The last periods of which revenue is tagged, newest first, a year before its last quarter."""
    found = list(periods(evidence, "revenue").values())
    found.sort(key=lambda fact: (fact.end or date.min, fact.label.startswith("FY")), reverse=True)
    return found[:MOST]


def _releases(evidence: Evidence, end: date) -> list[Document]:
    """The releases of the hundred days after a period's end that name its results first."""
    found = [
        d
        for d in evidence.documents
        if d.form == "8-K"
        and d.published_at is not None
        and end < d.published_at.date() <= end + _RELEASED_WITHIN
        and any(d.part(span) == "release" for span in d.spans)
    ]
    return sorted(found, key=lambda d: d.said_at)


def _is_of(sentence: Sentence, period: FactSeen) -> bool:
    """Whether a sentence names the period, or none."""
    named = periods_in(sentence.text)
    return not named or any(
        each.last_day == period.end
        or (
            (each.year is not None and str(each.year) in period.label)
            and (each.quarter is None or period.label.startswith(f"Q{each.quarter}"))
        )
        for each in named
    )


def _results(evidence: Evidence, releases: Sequence[Document], period: FactSeen) -> list[Statement]:
    """Sentences of the releases with a sum in them."""
    found = [
        sentence
        for document in releases
        for sentence in document.sentences
        if sentence.part == "release"
        and stands_alone(sentence.text)
        and sums_in(sentence.text)
        and _is_of(sentence, period)
    ]
    chosen = without_repeats(found, lambda each: each.text, most=_MOST_RESULTS)
    return [statement_of(each, evidence) for each in chosen]


def _chosen(evidence: Evidence, releases: Sequence[Document], *sections: str) -> list[Statement]:
    """What sections have of the releases."""
    ids = {document.document_id for document in releases}
    found = chosen_of(evidence, *sections, fits=lambda each: each.document.document_id in ids)
    return found[:_PER_LIST]


def _quotes(releases: Sequence[Document]) -> list[Statement]:
    """What people are quoted with."""
    found: dict[str, Statement] = {}
    for document in releases:
        for match in (m for pattern in _SPOKEN for m in pattern.finditer(document.text)):
            who, title = normalized(match["who"]), normalized(match["title"] or "").strip(" ,")
            said = normalized(match["words"])
            row: Statement = {"name": f"{who}, {title}" if title else who, "description": said}
            row |= {"sources": (Quote(document.document_id, normalized(match[0])),)}
            found.setdefault(said, row)
    return list(found.values())[:_PER_LIST]


def _event(evidence: Evidence, period: FactSeen) -> Statement:
    end = period.end or date.min
    releases = _releases(evidence, end)
    mark = f"{period.label}/{end.isoformat()}"
    return {
        "id": str(id_within(evidence.company_id, mark)),
        "event_title": f"{period.label} results",
        "as_of": (period.as_of or end).isoformat(),
        "fiscal_label": period.label,
        "period_end_date": end.isoformat(),
        "gross_revenue": whole_number(period.amount),
        "gross_revenue_is_derived": bool(period.value.get("derived")),
        "currency": period.value.get("currency"),
        "gross_revenue_change": period.signed_change,
        "earnings_call_new_strategies": _chosen(
            evidence, releases, "goals", "strategic_priorities"
        ),
        "earnings_call_summary": _results(evidence, releases, period),
        "earnings_call_quotes": _quotes(releases),
        "event_new_strategies": [],
        "earnings_call_challenges": [],
        "digital_strategies": _chosen(evidence, releases, "digital_strategies"),
        "sources": (period.proof,),
    }


def build(evidence: Evidence) -> list[Statement]:
    return [_event(evidence, period) for period in _periods(evidence)]


SECTION = Section("events", "Results", FiscalEvent, kinds=("filing", "data", "news"), build=build)
