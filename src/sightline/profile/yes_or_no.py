"""Questions to be answered by yes or no: what a sentence answers, and what facts do.

A sentence that only mentions what is asked about, or says what could be, answers nothing.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from sightline.profile.asking import stem, stems
from sightline.profile.evidence import Evidence, Job, country_name
from sightline.profile.fact_answers import made, technologies_named, won
from sightline.profile.money import day, money, newest_year, signed_percent
from sightline.profile.select import Candidate
from sightline.profile.sentences import cut

Verdict = Literal["yes", "no", "partly"]

_ASKS: Final = re.compile(
    r"^\W*(?:(?:and|so|but),? )?(?:do|does|did|is|are|was|were|has|have|had"
    r"|will)(?:n[’']t)? (?!\w+ or )",
    re.I,
)
_CHOICE: Final = re.compile(r"\bor\b.*\?|:", re.I)
_NEGATED: Final = re.compile(
    r"\b(?:no|not|never|none|neither|nor|without|cannot|nobody)\b|n[’']t\b", re.I
)
_LIMITED: Final = re.compile(
    r"\b(?:except|other than|although|apart from|only|most of|nearly|some of|certain|limited number"
    r"|in part|partly|partially|few|(?:two|three|four|five|ten) largest|largest customers"
    r"|significant portion)\b",
    re.I,
)
# What could be, is done by others or is asked of them answers nothing.
_OPEN: Final = re.compile(
    r"\b(?:could|(?-i:may)|might|would|should|if|unless|whether|competitors?|subject to change"
    r"|in the event|possible"
    r"|potential(?:ly)?|require(?:s|d)? us to|no assurance|required to|vulnerable|susceptible"
    r"|targets? of|designed to)\b",
    re.I,
)
_FROM_RISK: Final = re.compile(
    r"^(?:if|any|failure|inability|risks?|changes?|should|were|rules|laws|regulations|legislation)\b",
    re.I,
)
_MOST_TITLES: Final = 3
_YEAR: Final = range(340, 385)  # days
_NEAR: Final = 90  # characters between what is done and what it is done with
# What a question asks whether they do, and how sentences say it.
_PREDICATES: Final = tuple(
    (re.compile(asked, re.I), re.compile(said, re.I))
    for asked, said in (
        (
            r"\b(?:us(?:e|es|ed|ing)|rel(?:y|ies) on|run(?:s|ning)? on)\b",
            r"\b(?:us(?:e|es|ed|ing)|rel(?:y|ies|ied|ying) (?:up)?on"
            r"|run(?:s|ning)?(?: [\w-]+){0,5} (?:on|in)"
            r"|host(?:s|ed|ing)?"
            r"|built on|powered by|leverag\w+|utili[sz]\w+|deploy\w*|adopt\w*|appl(?:y|ies|ied"
            r"|ying)|operated? on|engag(?:e|es|ed|ing)|outsourc\w+"
            r"|(?:made|manufactured|produced|assembled|supplied|provided|operated|performed)"
            r"(?: (?!by\b)[\w-]+){0,5} by"
            r"|incorporat\w+|embed\w*|invest\w*|develop\w*|integrat\w+)\b",
        ),
        (
            r"\b(?:operat\w+|presen(?:t|ce)|active|offices?|located|based|do(?:ing)? business)\b",
            r"\b(?:operat\w+|offices?|stores?|facilit\w+|locat\w+|subsidiar\w+|headquarter\w*"
            r"|plants?|sites?"
            r"|employees|do business|revenues?|sales|restaurants|branches|manufactur\w+)\b",
        ),
        (r"\b(?:sell|sold|distribut\w+)\b", r"\b(?:sell(?:s|ing)?|sold|distribut\w+|sales|resell\w*)\b"),
        (
            r"\b(?:depend\w*|rel(?:y|ies|iant))\b",
            r"\b(?:depend\w*|rel(?:y|ies|ied|iant|iance)|account(?:ed|s|ing)? for|represent(?:ed"
            r"|s)?"
            r"|concentrat\w+|single[- ]sourc\w+|sole[- ]sourc\w+|compris\w+|deriv\w+)\b",
        ),
        (
            r"\bplan(?:s|ned|ning)?\b",
            r"\b(?:plan(?:s|ned|ning)?|intend\w*|expect\w*|will|announced|initiated|approved"
            r"|began|begun"
            r"|implement\w+|committed)\b",
        ),
        (r"\bhir(?:e|es|ing)|recruit\w*\b", r"\b(?:hir(?:e|es|ed|ing)|recruit\w*|open positions|join)\b"),
        (r"\binvest\w*\b", r"\b(?:invest\w*|spend\w*|spent|automat(?:ed|ing))\b"),
        (
            r"\b(?:acqui\w+|b(?:uy|ought)|merge\w*|take\w* over)\b",
            r"\b(?:we|the company|our) (?:[\w’-]+ ){0,5}?(?:acquired|purchased|bought|merged)\b"
            r"|\bacquisitions? of\b"
            r"|\bacquired by (?:us|the company)\b",
        ),
        (r"\bpa(?:y|id|ys)\b", r"\b(?:pa(?:y|id|ys|ying|yments?)|declar\w+|return\w*)\b"),
        (
            r"\b(?:had|experienced|suffered|been)\b",
            r"\b(?:had|have had|experienc\w+|suffer\w+|been|occurred|detected|discovered"
            r"|identified)\b",
        ),
        (r"\bsubject to\b", r"\b(?:subject to|compl(?:y|ies|iance)|governed|regulated|appl(?:y|ies))\b"),
        (r"\b(?:accept|offer|provide)s?\b", r"\b(?:accept|offer|provid|suppl|deliver|sell)\w*\b"),
        (r"\b(?:own|lease|rent)s?\b", r"\b(?:own|lease|rent)(?:s|ed|ing)?\b"),
    )
)  # fmt: skip
_ALL_PREDICATES: Final = frozenset(
    stems("operate sell distribute depend plan hire recruit invest acquire acquisition pay accept")
)
_THEMSELVES: Final = re.compile(r"\b(?:own|themselves|itself|in-house)\b", re.I)
_BY_OTHERS: Final = re.compile(
    r"\b(?:outsourc\w+|third[- ]part\w+|contract manufactur\w+|independent|partners?|suppliers"
    r"|on our behalf)\b",
    re.I,
)
_BY_US: Final = re.compile(
    r"\b(?:in-house|our own|we (?:also )?(?:manufacture|make|produce|build|operate)"
    r"|company-operated|(?:our|the company[’']s) (?:\w+ )?(?:factories|plants))\b",
    re.I,
)
_BIG_CUSTOMER: Final = stem("bigcustomer")
_NO_CUSTOMER: Final = re.compile(
    r"\bno (?:single |one |individual )?(?:customer|client)|\bnot (?:materially )?depend",
    re.I,
)
_WEIGHS: Final = re.compile(
    r"\b(?:account(?:ed|s|ing)? for|represent\w*|compris\w*|depend\w*|deriv\w+|concentrat\w+)\b",
    re.I,
)
_MAKES: Final = re.compile(
    r"\b(?:manufactur\w+|produc(?:e|es|ed|ing|tion)|assembl\w+|made|fabricat\w+|build|built|operat\w+|run)\b",
    re.I,
)
_ONE_CUSTOMER: Final = re.compile(
    r"\b(?:one|a single|our largest|its largest|sole|no other) (?:\w+ )?(?:customer|client)\b", re.I
)


def is_asked(question: str) -> bool:
    """Whether a question is to be answered by yes or no."""
    return _ASKS.match(question) is not None and not _CHOICE.search(question)


def verdict(question: str, text: str) -> Verdict | None:
    """What a sentence about the words of a question answers to it; None when it answers nothing. Of
    several sentences the first counts."""
    text = text[slice(*cut(text)[0])]
    if _BIG_CUSTOMER in stems(question):
        return _of_customers(text)
    if _OPEN.search(text) or _FROM_RISK.match(text):
        return None
    if _THEMSELVES.search(question) and not _MAKES.search(text):
        return None
    if _THEMSELVES.search(question):
        others, us = _BY_OTHERS.search(text), _BY_US.search(text)
        return "partly" if others and us else "no" if others else "yes" if us else None
    wanted = frozenset(stems(question))
    said = next((said for asked, said in _PREDICATES if asked.search(question)), None)
    if said is not None and not _is_near(text, said, wanted - _ALL_PREDICATES):
        return None
    if _NEGATED.search(text):
        return "partly" if _LIMITED.search(text) else "no"
    return "yes"


def _is_near(text: str, said: re.Pattern[str], wanted: frozenset[str]) -> bool:
    """Whether it is said of a word that is asked about, not of something far off."""
    places = [found.start() for found in said.finditer(text)]
    return any(
        abs(word.start() - place) <= _NEAR and word.start() != place
        for word in re.finditer(r"[^\W_]+(?:[ -][^\W_]+)?", text)
        if not wanted.isdisjoint(stems(word[0]))
        for place in places
    )


def _of_customers(text: str) -> Verdict | None:
    """Whether it depends on one customer: not on a few, and not what would be if they left."""
    if _FROM_RISK.match(text):
        return None
    if _NO_CUSTOMER.search(text):
        return "no"
    if _ONE_CUSTOMER.search(text):
        return "yes"
    return "partly" if _LIMITED.search(text) and _WEIGHS.search(text) else None


@dataclass(frozen=True, slots=True)
class Known:
    """The answer of a fact."""

    verdict: Verdict
    said: Candidate


def known_answer(evidence: Evidence, question: str) -> Known | None:
    """What facts answer to a question; None when none does."""
    for pattern, answer in _FACTS:
        if pattern.search(question) and (found := answer(evidence, question)):
            return found
    return None


def _profit(evidence: Evidence, question: str) -> Known | None:
    fact = newest_year(evidence, "net_income")
    if fact is None:
        return None
    value: Mapping[str, float] = fact.value
    amount = money(value["amount"], fact.value.get("currency") or "USD")
    earns = value["amount"] > 0
    asked_of_loss = re.search(r"\bloss|losing\b", question, re.I) is not None
    text = f"Net income was {amount} in {fact.value['label']}."
    return Known("yes" if earns is not asked_of_loss else "no", made(text, [fact.proof]))


def _growth(evidence: Evidence, question: str) -> Known | None:
    del question
    fact = newest_year(evidence, "revenue")
    change = fact.value.get("change") if fact is not None else None
    if fact is None or change is None:
        return None
    text = f"Revenue changed by {signed_percent(change)} in {fact.value['label']}."
    return Known("yes" if change > 0 else "no", made(text, [fact.proof]))


def _listed(evidence: Evidence, question: str) -> Known | None:
    del question
    fact, exchange = won(evidence, "stock_ticker"), won(evidence, "stock_exchange_name")
    if fact is None:
        return None
    where = f" on {exchange.value}" if exchange is not None else ""
    proofs = [each.proof for each in (fact, exchange) if each is not None]
    return Known("yes", made(f"{evidence.name} is listed as {fact.value}{where}.", proofs))


def _hiring(evidence: Evidence, question: str) -> Known | None:
    jobs = [job for job in evidence.jobs if job.closed_at is None]
    asked = _without(question, _OF_HIRING)
    wanted = [job for job in jobs if asked <= _job_words(job)]
    proofs = [proof for job in wanted[:_MOST_TITLES] if (proof := job.proof) is not None]
    if not proofs:
        return None
    titles = "; ".join(dict.fromkeys(job.title for job in wanted[:_MOST_TITLES]))
    others = " and others" if len(wanted) > _MOST_TITLES else ""
    text = f"Open postings: {titles}{others}."
    return Known("yes", made(text, proofs))


def _job_words(job: Job) -> frozenset[str]:
    places = " ".join(f"{city or ''} {country_name(code) or ''}" for city, code in job.places)
    return frozenset(stems(f"{job.title} {job.department or ''} {places}"))


def _in_a_place(evidence: Evidence, question: str) -> Known | None:
    asked = _without(question, _OF_PRESENCE)
    told = evidence.by_field.get("segment", ())
    for fact in sorted(told, key=lambda f: str(f.value.get("period_end")), reverse=True):
        value = fact.value
        name = str(value.get("name"))
        if value.get("axis") != "geography" or value.get("metric") != "revenue" or not asked:
            continue
        start, end = day(value.get("period_start")), day(value.get("period_end"))
        whole = start is not None and end is not None and (end - start).days in _YEAR
        if whole and asked <= frozenset(stems(name)) and value["amount"] > 0:
            amount = money(value["amount"], value.get("currency") or "USD")
            text = f"Revenue in {name} was {amount} in the year to {value['period_end']}."
            return Known("yes", made(text, [fact.proof]))
    return None


def _technology(evidence: Evidence, question: str) -> Known | None:
    said = technologies_named(evidence, question)
    return Known("yes", said) if said is not None else None


def _without(question: str, words: frozenset[str]) -> frozenset[str]:
    return frozenset(stems(question)) - words


_OF_HIRING: Final = frozenset(
    stems("hire hiring recruit recruiting open positions jobs postings company")
)
_OF_PRESENCE: Final = frozenset(
    stems(
        "operate operating operations present presence active sell sales business company revenue"
    )
)
_OF_PROFIT: Final = re.compile(
    r"\b(?:profitable|(?:mak\w+|turn\w*) a (?:profit|loss)|los(?:ing|s) money|loss-making)\b", re.I
)
_OF_GROWTH: Final = re.compile(r"\bgrow(?:s|ing)?\W*$|\b(?:revenues?|sales) grow\w*\W*$", re.I)
_OF_LISTING: Final = re.compile(
    r"\b(?:publicly (?:listed|traded|held)|a public company|stock[- ]listed|listed on a)\b", re.I
)
_FACTS: Final[tuple[tuple[re.Pattern[str], Callable[[Evidence, str], Known | None]], ...]] = (
    (_OF_PROFIT, _profit),
    (_OF_GROWTH, _growth),
    (_OF_LISTING, _listed),
    (
        re.compile(r"\b(?:hir(?:e|ing)|recruit\w*|open (?:positions|jobs|postings))\b", re.I),
        _hiring,
    ),
    (
        re.compile(r"\b(?:operat\w+|presen\w+|active|sell|business) (?:\w+ ){0,2}?in [A-Z]"),
        _in_a_place,
    ),
    (re.compile(r"\b(?:us(?:e|es|ing)|run(?:s|ning)?)\b", re.I), _technology),
)
