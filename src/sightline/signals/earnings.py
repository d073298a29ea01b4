"""Results: the figures with their change from the prior year, the outlook, and one quote.

The sentences are found by the heads: results are earnings that happened, guidance is earnings that are
planned. Sums, percentages and periods are shapes.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Final

from sightline.domain.mentions import Mention, NamedCompany
from sightline.domain.signals import SignalType
from sightline.reading.dates import WrittenPeriod, periods_in
from sightline.reading.money import sums_in
from sightline.signals.contract import plain

_MOST_FIGURES: Final = 4
_STALE: Final = timedelta(days=300)  # before a document: a period that it compares with
_PERCENT: Final = re.compile(r"\d+(?:\.\d+)?\s?(?:%|percent)")
_MARKS: Final = "-–—•*· "
# What a person says, as far as the sentence has it: "Ann Lee, our chief, said, “It was a good year.”"
_QUOTED: Final = re.compile(r"(?:^|[,:]\s)[“\"][^“”\"]{30,400}(?:[”\"]|$)")
_QUARTERS: Final = ("first", "second", "third", "fourth")


def with_figures(
    mention: Mention, company: NamedCompany, *, done: Sequence[str], expected: Sequence[str],
    every: Sequence[str],
) -> Mention:  # fmt: skip
    """A mention of results with all that sentences say of them: results, outlook, and every other one."""
    figures = list(filter(None, map(with_a_figure, done)))[:_MOST_FIGURES]
    guidance = next(filter(None, map(with_a_figure, expected)), None)
    quote = next((_closed(plain(each)) for each in every if _QUOTED.search(each)), None)
    # A quarter's release names the year so far, and the same quarter of the year before, as well.
    said = mention.published_at
    periods = [
        each
        for text in [mention.title, mention.quote, *done]
        for each in periods_in(text)
        if said is None or said.date() - _last_day(each) < _STALE
    ]
    newest = min(
        periods, key=lambda each: (each.months, -_last_day(each).toordinal()), default=None
    )
    period = _period(newest) if newest else None
    details: dict[str, Any] = {
        **mention.details, "period": period, "guidance": guidance, "quote": quote,
        "figures": [
            {"text": text, "sums": [{"value": s.amount, "currency": s.currency} for s in sums_in(text)],
             "changes": _PERCENT.findall(text)}
            for text in figures
        ],
    }  # fmt: skip
    parts = [*figures[:2], f"Guidance: {guidance}" if guidance else None, quote]
    return replace(
        mention,
        # Of two documents on one period the one with figures has the words.
        confidence=min(0.99, mention.confidence + 0.02) if figures else mention.confidence,
        title=f"{company.name} releases results" + (f" for {period}" if period else ""),
        summary=plain(" ".join(filter(None, parts)) or mention.summary, longest=900),
        details=details,
        counterparty=period or mention.counterparty,
    )


def _closed(sentence: str) -> str:
    """A sentence with the end of its quote, which may go on behind it."""
    if sentence.count('"') % 2:
        return f'{sentence}"'
    return f"{sentence}”" if sentence.count("“") > sentence.count("”") else sentence


def is_results(mention: Mention) -> bool:
    """Whether a mention is one of results."""
    return mention.type == SignalType.EARNINGS_RELEASED


def _last_day(period: WrittenPeriod) -> date:
    """The last day of a period; of a fiscal one that of the calendar."""
    return period.last_day or date(period.year or 1, 3 * (period.quarter or 4), 28)


def _period(period: WrittenPeriod) -> str:
    """The same for one period, as far as its words say: "the 3 months to March 31, 2024", "fiscal 2024"."""
    if period.last_day is not None:
        length = "the year" if period.months == 12 else f"the {period.months} months"
        return f"{length} to {period.last_day:%B %-d, %Y}"
    if period.quarter:
        return f"the {_QUARTERS[period.quarter - 1]} quarter of {period.year}"
    return f"fiscal {period.year}"


def with_a_figure(sentence: str) -> str | None:
    """A sentence in one line without the mark of a list, if it has a sum or a percentage."""
    has_figure = sums_in(sentence) or _PERCENT.search(sentence)
    return plain(sentence.lstrip(_MARKS).removeprefix("o ")) if has_figure else None
