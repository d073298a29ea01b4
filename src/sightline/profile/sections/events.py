"""Events: fiscal periods with revenue and change, and what the release or report of each says."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Document, Evidence, Quote
from sightline.profile.judging import is_good_news
from sightline.profile.money import change_of, periods
from sightline.profile.release_figures import released_revenue
from sightline.profile.sections.digital_strategies import TOPIC
from sightline.profile.select import Candidate, candidate, choose, cues, specificity
from sightline.profile.sentences import Sentence, spaced

MOST: Final = 8
_PER_LIST: Final = 4
_RELEASED_WITHIN = timedelta(days=100)
_SAYS = r"(?:said|commented|stated|added|noted|remarked|continued|explained|says)"
_WHO = r"(?P<who>[A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){1,3})"
_SPOKEN = (
    re.compile(
        rf"[“\"](?P<words>[^”\"]{{30,900}})[,.]?[”\"],?\s*(?:{_SAYS}|according to)\s+"
        rf"{_WHO}(?:,\s*(?P<title>[^.“\"]{{3,120}}))?"
    ),
    re.compile(
        rf"{_WHO}(?:,\s*(?P<title>[^.“\";]{{3,120}}),)?\s{_SAYS}[,:]\s*"
        rf"[“\"](?P<words>[^”\"]{{30,900}})[”\"]"
    ),
)
_RESULTS = cues(
    (
        r"^(?:[Oo]ur |[Cc]onsolidated |[Cc]ompany[- ]wide )?(?:total|net|consolidated) (?:net"
        r" )?(?:revenues?|sales)\b.{0,80}\d",
        2.4,
    ),
    (r"^(?:our )?(?:revenues?|sales|revenue for (?:the|fiscal))\b.{0,80}\d", 2.2),
    (
        r"\b(?:total )?(?:net )?(?:revenues?|sales)\b.{0,80}\b(?:was|were|of|increased|decreased"
        r"|grew|declined|up|down|rose|fell)\b.{0,80}\d",
        1.6,
    ),
    (r"\b(?:operating|net|gross) (?:income|profit|loss|margin)|\bearnings per\b|\bcash flow", 1.2),
)
_STRATEGY = cues(
    (
        r"\b(?:announced|launched|introduced|unveiled|expanded|opened|entered into|acquired"
        r"|completed the acquisition|began|initiated)\b",
        1.4,
    ),
    (
        r"\b(?:strateg(?:y|ic)|priorit|invest(?:ing|ments?) in|focus(?:ed)? on|plan to|initiative)",
        1.2,
    ),
)
_CHALLENGES = cues(
    (
        r"\b(?:decreas|declin|headwind|challeng|pressure|unfavorabl|lower than|softness|weak"
        r"|shortage|inflation|tariff|export (?:control|restriction)|uncertain|loss of)",
        1.3,
    ),
)
_NOT = re.compile(
    r"\b(?:tax(?:es)?|accounting|fair value|dividend|repurchase|credit facility|hedg|lease"
    r"|conference call|webcast"
    r"|forward|reconcil|unaudited|annuali[sz]ed|pension|debt|borrowings|legal proceedings|claims"
    r"|assurance|critical|defined as|key metric|we (?:measure|define|calculate)|ROI|ROA|judgments?"
    r"|currency-neutral basis is|impairment|goodwill|securities"
    r"|credit agreement|revolving|investigation|investigated|receivables?|credit risk|headcount"
    r"|not (?:a )?material|uses of cash"
    r"|as a percentage of|cost of sales|performance obligations?|severance|amortization|ASC \d+)\b",
    re.I,
)
# What may happen is no news of a period, nor is what is said to get going.
_HEDGED = re.compile(
    r"\b(?:may|might|could|would|can|cannot)\b|^(?:You know|So|Well|And|Yes|Okay|No)\b", re.I
)
_NO_CHALLENGE = re.compile(
    r"(?:partially |partly |more than )?offset by[^.]*|\b(?:lower|decreases? in|declin\w+ in|decreased)"
    r" (?:\w+ ){0,3}?(?:costs?|expenses?|losses|charges|taxes)\b",
    re.I,
)
_NEITHER = re.compile(
    r"\bcash (?:used|provided)\b|\bchanges in assets\b|\bexcludes?\b|\bstrengths\b|\bstrategy builds\b",
    re.I,
)
_NO_STRATEGY = re.compile(
    r"\b(?:net cash|margins?|net sales (?:for|were)|revenues? (?:was|were)|comparable sales|selling price"
    r"|expenses? (?:in|de)creased|expenditures (?:in|de)creased|excludes?|impacted by|tariffs were|percentage"
    r"|provision|ASP|(?:revenues?|sales) (?:in|de)creased|cash (?:payments?|capital|flows?|used|provided)"
    r"|capital expenditures (?:were|was)|investing activities|finance leases|(?:senior|convertible) notes?"
    r"|issu(?:ed?|ance)|property and equipment|health and safety|unit sales|operating income|at times"
    r"|from time to time|later|subsidiary earnings|remaining deal value|in order to provide)\b",
    re.I,
)
_YEARS = re.compile(r"\b(?:19|20)\d\d\b")


def _documents(evidence: Evidence, end: date, *, annual: bool) -> list[Document]:
    """The release and the report of a period: filed within a hundred days after its end."""
    wanted = ("10-K", "20-F", "8-K") if annual else ("10-Q", "8-K")
    found = [
        d
        for d in evidence.documents
        if d.published_at is not None
        and d.form in wanted
        and end < d.published_at.date() <= end + _RELEASED_WITHIN
        and (d.form != "8-K" or _is_results(d))
    ]
    # A release first: it is what was said on the day.
    return sorted(found, key=lambda d: (d.form != "8-K", d.published_at))


def _is_results(document: Document) -> bool:
    """Whether a current report or its exhibit gives results of a period."""
    items = {span.section for span in document.spans}
    head = document.text[:4000]
    return "2.02" in items or bool(
        re.search(
            r"\b(?:reports?|announces?|results)\b.{0,80}\b(?:quarter|fiscal|year)\b", head, re.I
        )
    )


def _said(
    sentences: Sequence[tuple[Sentence, Sequence[Sentence]]],
    wanted: Any,
    taken: list[Candidate],
    *,
    without: re.Pattern[str] | None = None,
    never: Callable[[str], object] = lambda _: False,
) -> list[Candidate]:
    """The best sentences with a cue that is not in what is looked away from (`without`), and with
    nothing of `never`; none that was taken."""
    pool = []
    for sentence, follow in sentences:
        seen = without.sub("", sentence.text) if without else sentence.text
        cue = next((c for c in wanted if c.pattern.search(seen)), None)
        if cue is None or _NOT.search(sentence.text) or _HEDGED.search(sentence.text):
            continue
        if never(sentence.text):
            continue
        score = cue.weight * specificity(sentence.text)
        pool.append(candidate(sentence, follow=follow, score=score, prefer_heading=False))
    pool = [c for c in pool if all(c.description != t.description for t in taken)]
    chosen = choose(pool, most=_PER_LIST)
    taken.extend(chosen)
    return chosen


def _is_none(text: str) -> bool:
    """Whether a sentence tells of no challenge, whatever words it is told in."""
    return _NEITHER.search(text) is not None or is_good_news(text)


def _of_period(text: str, end: date) -> bool:
    """Whether a sentence does not speak of earlier years alone."""
    years = {int(year) for year in _YEARS.findall(text)}
    return not years or max(years) >= end.year


def _rows(chosen: list[Candidate]) -> list[Statement]:
    return [each.statement() for each in chosen]


def _quotes(evidence: Evidence, documents: Sequence[Document]) -> list[Statement]:
    """What people are quoted with, in releases."""
    first = re.escape(re.split(r"[\s,.]+", evidence.name)[0])
    of_company = re.compile(rf"\s*,?\s*(?:\b(?:of|at)\b )?(?:the company|{first})\b.*", re.I | re.S)
    found: dict[str, Statement] = {}
    for document in documents:
        if document.form != "8-K":
            continue
        for match in (m for pattern in _SPOKEN for m in pattern.finditer(document.text)):
            if match["words"][:1].islower():  # the words between two quotes
                continue
            who = spaced(match["who"])
            title = of_company.sub("", spaced(match["title"] or "")).strip(" ,")
            found.setdefault(
                spaced(match["words"]),
                {
                    "name": f"{who}, {title}" if title else who,
                    "description": spaced(match["words"]),
                    "sources": (Quote(document.document_id, spaced(match[0])),),
                },
            )
    return list(found.values())[:_PER_LIST]


@dataclass(frozen=True, slots=True)
class _Period:
    """A fiscal period and its revenue, as tagged or as a release says it."""

    label: str
    end: date
    amount: float
    currency: str | None
    change: float | None
    derived: bool
    proof: Quote


def _periods(evidence: Evidence) -> list[_Period]:
    """The last periods, newest first; those that only releases tell of with the others."""
    found = {
        (key[0].startswith("FY"), key[1]): _Period(
            key[0],
            key[1],
            fact.value["amount"],
            fact.value.get("currency"),
            fact.value.get("change"),
            bool(fact.value.get("derived")),
            fact.proof,
        )
        for key, fact in periods(evidence, "revenue").items()
    }
    year_end = next(
        (str(f.value) for f in evidence.by_field.get("fiscal_year_end", ()) if f.wins), None
    )
    for document in evidence.documents:
        if document.form != "8-K" or not _is_results(document):
            continue
        for each in released_revenue(document.sentences, year_end=year_end):
            proof = Quote(document.document_id, each.sentence.text)
            if each.end < document.said_at.date() <= each.end + _RELEASED_WITHIN:
                found.setdefault(
                    (each.label.startswith("FY"), each.end),
                    _Period(
                        each.label, each.end, each.amount, each.currency, each.change, False, proof
                    ),
                )
    return sorted(found.values(), key=lambda p: (p.end, p.label.startswith("FY")), reverse=True)[
        :MOST
    ]


def _event(evidence: Evidence, period: _Period) -> Statement:
    documents = _documents(evidence, period.end, annual=period.label.startswith("FY"))
    sentences = [
        (s, d.sentences[place + 1 : place + 2])
        for d in documents
        for place, s in enumerate(d.sentences)
        if s.part in ("release", "review") and not s.dangles and _of_period(s.text, period.end)
    ]
    taken: list[Candidate] = []
    results = _said(sentences, _RESULTS, taken)
    strategies = _said(sentences, _STRATEGY, taken, never=_NO_STRATEGY.search)
    challenges = _said(sentences, _CHALLENGES, taken, without=_NO_CHALLENGE, never=_is_none)
    digital = [(s, f) for s, f in sentences if TOPIC.search(s.text)]
    released = any(d.form == "8-K" for d in documents)
    amount = float(period.amount)
    return {
        "id": str(
            uuid5(NAMESPACE_URL, f"{evidence.company_id}/{period.label}/{period.end.isoformat()}")
        ),
        "event_title": f"{period.label} results",
        "fiscal_label": period.label,
        "period_end_date": period.end.isoformat(),
        "gross_revenue": int(amount) if amount.is_integer() else amount,
        "gross_revenue_is_derived": period.derived,
        "currency": period.currency,
        "gross_revenue_change": change_of(period.change),
        "earnings_call_new_strategies": _rows(strategies) if released else [],
        "earnings_call_summary": _rows(results),
        "earnings_call_quotes": _quotes(evidence, documents),
        "event_new_strategies": [] if released else _rows(strategies),
        "earnings_call_challenges": _rows(challenges),
        "digital_strategies": _rows(_said(digital, (*_STRATEGY, *_RESULTS), taken)),
        "sources": (period.proof,),
    }


def build(evidence: Evidence) -> list[Statement]:
    return [_event(evidence, period) for period in _periods(evidence)]


SECTION = Section("events", ("filing", "data", "news"), build)
