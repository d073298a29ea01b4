"""Overview: the facts that matter, and a summary of what the company says that it does."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from sightline.domain.amounts import money, up_or_down
from sightline.domain.countries import seat_in_words
from sightline.profile.choosing import without_repeats
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence, FactSeen, Quote, proofs_of
from sightline.profile.plans import Plan, nameless
from sightline.profile.sentences import Sentence
from sightline.profile.years import newest_year
from sightline.reading.prose import begins_with_name, is_whole
from sightline.reading.sentences import sentences
from sightline.reading.stated import normalized

_MOST_SENTENCES: Final = 4
_MOST_OF_ITS_OWN: Final = 2
_MOST_PROOFS: Final = 3
_MOST_PRODUCTS: Final = 10
_FIELDS: Final = (
    "company_name", "legal_name", "website_domain", "description", "industry", "sector", "founded_year",
    "hq_city", "hq_state", "hq_country_name", "country_code", "full_time_employees",
    "employee_count_range", "revenue_range", "public_company", "stock_ticker", "stock_exchange_name",
    "ceo", "profile_network_url", "phone",
)  # fmt: skip
_PLACE: Final = ("hq_city", "hq_state", "hq_country_name")
_LISTED: Final = ("stock_exchange_name", "stock_ticker")


def _said(evidence: Evidence) -> list[Sentence]:
    """The sentences that say best what the company does, in the order of their text."""
    chosen = without_repeats(evidence.opening, lambda each: each.text, most=_MOST_OF_ITS_OWN)
    return sorted(chosen, key=lambda each: (each.document.document_id, each.start))


def _hiring(evidence: Evidence) -> tuple[dict[str, Any], tuple[Quote, ...]]:
    """How many postings are open, and in which departments most of them are."""
    jobs = evidence.open_jobs
    if not jobs:
        return {}, ()
    counts = Counter(job.department for job in jobs if job.department)
    proofs = proofs_of(jobs[:_MOST_PROOFS])
    departments = [name for name, _ in counts.most_common(_MOST_PROOFS)]
    return {"open_postings": len(jobs), "hiring_departments": departments}, tuple(proofs)


def _figure(fact: FactSeen) -> dict[str, Any]:
    shown = {part: fact.value[part] for part in ("amount", "currency", "label", "period_end")}
    return shown | {"change": fact.change, "text": f"{'-' * (fact.amount < 0)}{fact.size}"}


def build(evidence: Evidence) -> Statement:
    facts, dates, proofs = _facts(evidence)
    said = _said(evidence)
    if not said and not facts.get("description") and not proofs:
        return {}
    lines = [*_described(evidence), *(each.text for each in said)]
    lines = lines or [str(facts[part]) for part in ("description",) if facts.get(part)]
    lines = lines[: _MOST_OF_ITS_OWN + 1]
    lines += _fact_sentences(evidence, facts, summary=" ".join(lines))
    days = [each.document.said_at.date().isoformat() for each in said]
    products = [str(f.value["name"]) for f in evidence.members("product") if f.value.get("name")]
    quotes = [each.document.quote(each.text) for each in said]
    return {
        "summary": " ".join(lines[:_MOST_SENTENCES]) or None,
        "facts": facts,
        "facts_as_of": dates,
        "products": products[:_MOST_PRODUCTS],
        "sources": (*quotes, *proofs),
    } | ({"as_of": max(days)} if days else {})


def _facts(evidence: Evidence) -> tuple[dict[str, Any], dict[str, str], list[Quote]]:
    """The facts that matter, the day of each, and what proves them."""
    facts = {name: value for name in _FIELDS if (value := evidence.record.get(name)) is not None}
    figures = {metric: newest_year(evidence, metric) for metric in ("revenue", "net_income")}
    facts |= {metric: _figure(fact) for metric, fact in figures.items() if fact is not None}
    hiring, hired = _hiring(evidence)
    facts |= hiring
    won = {name: evidence.won(name) for name in _FIELDS}
    known = {name: fact for name, fact in (figures | won).items() if fact is not None}
    dates = {name: _day(evidence, fact) for name, fact in known.items()}
    return facts, dates, [*(fact.proof for fact in known.values()), *hired]


def _described(evidence: Evidence) -> list[str]:
    """The first sentence of the site's own description that begins with the company, where no report is
    known: sites open with slogans."""
    text = normalized(str(evidence.record.get("description") or ""))
    first = next((text[start:end] for start, end in sentences(text)), "")
    is_told = evidence.annual is None and begins_with_name(first, evidence.name)
    return [first] if is_told and is_whole(first[:1].upper() + first[1:]) else []


def _day(evidence: Evidence, fact: FactSeen) -> str:
    """The day of the document of a fact, else when it was last seen to say so."""
    same = (d.published_at for d in evidence.documents if d.document_id == fact.document_id)
    return (next(same, None) or fact.observed_at).date().isoformat()


def _fact_sentences(evidence: Evidence, facts: Mapping[str, Any], *, summary: str) -> list[str]:
    """Sentences on seat and industry, listing, revenue and hiring; of what is proven alone. A seat that
    the `summary` names is not repeated, and the industry, which may be that of an old register, is named only
    where there is none."""
    name = evidence.name
    won = {field: value for field, value in facts.items() if evidence.won(field) is not None}
    place = seat_in_words(*map(won.get, _PLACE))
    is_new = bool(place) and str(won.get("hq_city")) not in summary
    listed = [str(won[part]) for part in _LISTED if part in won]
    revenue, hiring = facts.get("revenue"), facts.get("open_postings")
    stated = (
        ("industry", "is", None if summary else won.get("industry")),
        ("shares", "trade on", " as ".join(listed) if len(listed) == len(_LISTED) else None),
        ("revenue", "was", revenue and _moved(revenue)),
        (None, "has", hiring and f"{hiring} open posting{'s' * (hiring > 1)}"),
    )
    made = [f"{name} is based in {place}."] if is_new else []
    for thing, verb, value in stated:
        is_known = bool(made or summary)
        it, its = ("It", f"Its {thing}") if is_known else (name, f"The {thing} of {name}")
        made += [f"{its if thing else it} {verb} {value}."] if value else []
    return made


def _moved(revenue: Mapping[str, Any]) -> str:
    """ "$5 million in FY2025, up 4% from the prior year"."""
    change = revenue["change"]
    moved = f", {up_or_down(change)} from the prior year" if change is not None else ""
    return f"{money(revenue['amount'], revenue['currency'])} in {revenue['label']}{moved}"


SECTION = Section(
    "overview",
    "Overview",
    None,
    Plan(
        "A summary, each sentence an entry: what the company does and for whom, where its revenue comes from,"
        " and what has changed most of late. It alone may say what other sections tell in full.",
        most=4,
        row=nameless,
        is_edited=False,
    ),
    kinds=("filing", "data", "page", "posting"),
    build=build,
)
