"""Events: fiscal periods with revenue and change, and what the release or report of each says."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final
from uuid import NAMESPACE_URL, uuid5

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Document, Evidence, Quote
from sightline.profile.first_person import in_first_person
from sightline.profile.judging import is_broken
from sightline.profile.money import change_of, periods
from sightline.profile.period_news import Told, result_name
from sightline.profile.release_figures import released_revenue
from sightline.profile.sections.digital_strategies import TOPIC
from sightline.profile.select import Candidate, candidate, choose, specificity
from sightline.profile.sentences import Sentence, spaced

MOST: Final = 8
_PER_LIST: Final = 4
_MOST_RESULTS: Final = 6
_SHORTEST_PART: Final = 3  # characters
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
# What a period's news are never about, whatever words they are told in.
_NOT = re.compile(
    r"\b(?:tax(?:es)?|accounting|fair value|dividend|repurchase|credit facility|hedg|lease"
    r"|conference call|webcast"
    r"|forward|reconcil|unaudited|annuali[sz]ed|pension|debt|borrowings|legal proceedings|claims"
    r"|assurance|critical|defined as|key metric|we (?:measure|define|calculate)|ROI|ROA|judgments?"
    r"|currency-neutral basis is|impairment|goodwill|securities"
    r"|credit agreement|revolving|investigation|investigated|receivables?|credit risk|headcount"
    r"|not (?:a )?material|uses of cash"
    r"|cost of sales|severance|amortization|AS[CU] \d[\d-]*)\b",
    re.I,
)
# What may happen is no news of a period, nor is what is said to get going.
_HEDGED = re.compile(
    r"\b(?:may|might|could|would|can|cannot)\b|^(?:You know|So|Well|And|Yes|Okay|No)\b"
)
_NO_STRATEGY = re.compile(
    r"\b(?:net cash|margins?|net sales (?:for|were)|revenues? (?:was|were)|comparable sales"
    r"|selling price"
    r"|expenses? (?:in|de)creased|expenditures (?:in|de)creased|excludes?|impacted by"
    r"|tariffs were|percentage"
    r"|provision|ASP|(?:revenues?|sales) (?:in|de)creased|cash (?:payments?|capital|flows?|used"
    r"|provided)"
    r"|capital expenditures (?:were|was)|investing activities|finance leases|(?:senior"
    r"|convertible) notes?"
    r"|issu(?:ed?|ance)|property and equipment|health and safety|unit sales|operating income"
    r"|subsidiary earnings|remaining deal value)\b",
    re.I,
)


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
    weigh: Callable[[Sentence], float],
    taken: list[Candidate],
    *,
    name: Callable[[str], str] | None = None,
    most: int = _PER_LIST,
) -> list[Candidate]:
    """The best sentences by what they weigh, 0 being none; none that was taken. `name` makes names
    otherwise than sentences have them."""
    pool = []
    for sentence, follow in sentences:
        if _NOT.search(sentence.text) or _HEDGED.search(sentence.text):
            continue
        if not (weight := weigh(sentence)):
            continue
        made = candidate(
            sentence,
            follow=follow,
            score=weight * specificity(sentence.text),
            prefer_heading=False,
            name=name(sentence.text) if name else None,
        )
        made.heading = None  # what stands above figures names no news
        pool.append(made)
    pool = [c for c in pool if all(c.description != t.description for t in taken)]
    chosen = choose(pool, most=most, beside=taken)
    taken.extend(chosen)
    return chosen


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


def _news(evidence: Evidence, told: Told) -> Callable[[Sentence], float]:
    """What weighs sentences by the news in them, whoever the company is called."""

    def weigh(sentence: Sentence) -> float:
        said = in_first_person(sentence.text, evidence.name)
        return 0.0 if _NO_STRATEGY.search(said) else told.news(sentence, said)

    return weigh


def _known(evidence: Evidence, period: _Period) -> Mapping[str, tuple[float, float | None]]:
    """The period's own income by metric, with its change."""
    found = {}
    for metric in ("operating_income", "net_income"):
        fact = periods(evidence, metric).get((period.label, period.end))
        if fact is not None:
            found[metric] = (float(fact.value["amount"]), fact.value.get("change"))
    return found


def _parts(evidence: Evidence) -> tuple[str, ...]:
    """The names of its divisions and regions."""
    names = {
        str(fact.value.get("name") or "")
        for fact in evidence.by_field.get("segment", ())
        if fact.value.get("axis") in ("business", "geography")
    }
    return tuple(sorted(name for name in names if len(name) > _SHORTEST_PART))


def _event(evidence: Evidence, period: _Period) -> Statement:
    told = Told(period.label, period.end, _known(evidence, period), _parts(evidence))
    documents = _documents(evidence, period.end, annual=told.annual)
    sentences = [
        (s, d.sentences[place + 1 : place + 2])
        for d in documents
        for place, s in enumerate(d.sentences)
        if s.part in ("release", "review") and not (s.dangles or is_broken(s.text)) and told.has(s)
    ]
    taken: list[Candidate] = []
    news = _news(evidence, told)
    results = _said(sentences, told.result, taken, name=result_name, most=_MOST_RESULTS)
    challenges = _said(sentences, told.challenge, taken, name=result_name)
    digital = _said([(s, f) for s, f in sentences if TOPIC.search(s.text)], news, taken)
    strategies = _said(sentences, news, taken)
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
        "digital_strategies": _rows(digital),
        "sources": (period.proof,),
    }


def build(evidence: Evidence) -> list[Statement]:
    return [_event(evidence, period) for period in _periods(evidence)]


SECTION = Section("events", ("filing", "data", "news"), build)
