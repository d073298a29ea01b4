"""Events: fiscal periods with revenue and change, and what the release or report of each says."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Document, Evidence, FactSeen, Quote
from sightline.profile.money import periods
from sightline.profile.sections.digital_strategies import TOPIC
from sightline.profile.select import Candidate, candidate, choose, cues, specificity
from sightline.profile.sentences import Sentence, spaced

MOST: Final = 8
_PER_LIST: Final = 4
_RELEASED_WITHIN = timedelta(days=100)
_SPOKEN = re.compile(
    r"[“\"](?P<words>[^”\"]{30,900})[,.]?[”\"],?\s*(?:said|commented|stated|added|noted"
    r"|remarked|continued|according to|says)\s+"
    r"(?P<who>[A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){1,3})(?:,\s*(?P<title>[^.“\"]{3,120}))?",
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
        r"|shortage|inflation|tariff|export (?:control|restriction)|uncertain|offset by|loss of)",
        1.3,
    ),
)
_NOT = re.compile(
    r"\b(?:tax(?:es)?|accounting|fair value|dividend|repurchase|credit facility|hedg|lease"
    r"|conference call|webcast"
    r"|forward|reconcil|unaudited|annuali[sz]ed|pension)\b",
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
    sentences: Sequence[tuple[Sentence, Sequence[Sentence]]], wanted: Any, taken: list[Candidate]
) -> list[Candidate]:
    pool = []
    for sentence, follow in sentences:
        cue = next((c for c in wanted if c.pattern.search(sentence.text)), None)
        if cue is None or _NOT.search(sentence.text):
            continue
        score = cue.weight * specificity(sentence.text)
        pool.append(candidate(sentence, follow=follow, score=score, prefer_heading=False))
    pool = [c for c in pool if all(c.description != t.description for t in taken)]
    chosen = choose(pool, most=_PER_LIST)
    taken.extend(chosen)
    return chosen


def _rows(chosen: list[Candidate]) -> list[Statement]:
    return [each.statement() for each in chosen]


def _quotes(documents: Sequence[Document]) -> list[Statement]:
    """What executives are quoted with, in releases."""
    found = []
    for document in documents:
        if document.form != "8-K":
            continue
        for match in _SPOKEN.finditer(document.text):
            who, title = match["who"], (match["title"] or "").split(" of ")[0].strip(" ,")
            found.append(
                {
                    "name": f"{who}, {spaced(title)}" if title else who,
                    "description": spaced(match["words"]),
                    "sources": (Quote(document.document_id, spaced(match[0])),),
                }
            )
    return found[:_PER_LIST]


def _event(evidence: Evidence, key: tuple[str, date], fact: FactSeen) -> Statement:
    label, end = key
    documents = _documents(evidence, end, annual=label.startswith("FY"))
    sentences = [
        (s, d.sentences[place + 1 : place + 2])
        for d in documents
        for place, s in enumerate(d.sentences)
        if s.part in ("release", "review") and not s.dangles
    ]
    taken: list[Candidate] = []
    results = _said(sentences, _RESULTS, taken)
    strategies = _said(sentences, _STRATEGY, taken)
    challenges = _said(sentences, _CHALLENGES, taken)
    digital = [(s, f) for s, f in sentences if TOPIC.search(s.text)]
    released = any(d.form == "8-K" for d in documents)
    return {
        "id": str(uuid5(NAMESPACE_URL, f"{evidence.company_id}/{label}/{end.isoformat()}")),
        "event_title": f"{label} results",
        "fiscal_label": label,
        "period_end_date": end.isoformat(),
        "gross_revenue": fact.value["amount"],
        "currency": fact.value.get("currency"),
        "gross_revenue_change": fact.value.get("change"),
        "earnings_call_new_strategies": _rows(strategies) if released else [],
        "earnings_call_summary": _rows(results),
        "earnings_call_quotes": _quotes(documents),
        "event_new_strategies": [] if released else _rows(strategies),
        "earnings_call_challenges": _rows(challenges),
        "digital_strategies": _rows(_said(digital, (*_STRATEGY, *_RESULTS), taken)),
        "sources": (fact.proof,),
    }


def build(evidence: Evidence) -> list[Statement]:
    revenue = periods(evidence, "revenue")
    newest = sorted(revenue, key=lambda key: (key[1], key[0].startswith("FY")), reverse=True)[:MOST]
    return [_event(evidence, key, revenue[key]) for key in newest]


SECTION = Section("events", ("filing", "data"), build)
