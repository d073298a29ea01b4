"""Overview: the facts that matter, and a summary of what the company says that it does."""

from collections import Counter
from typing import Any, Final

from sightline.profile.choosing import without_repeats
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence, FactSeen, Quote, proofs_of
from sightline.profile.insights import OVERVIEW, SPECIFIC, candidates, opening
from sightline.profile.plans import Plan, nameless
from sightline.profile.sections.overview_facts import fact_sentences
from sightline.profile.sentences import Sentence, spaced
from sightline.profile.years import newest_year
from sightline.reading.prose import begins_with_name, is_whole
from sightline.reading.sentences import sentences

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


def _said(evidence: Evidence) -> list[Sentence]:
    """The sentences that say best what the company does, in the order of their text."""
    said = evidence.opening
    if not evidence.judged:  # nothing was read
        said = opening(evidence, list(candidates(evidence)))
    chosen = without_repeats(said, lambda each: each.text, most=_MOST_OF_ITS_OWN)
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
    value = fact.value
    parts = ("amount", "currency", "label", "period_end")
    return {part: value[part] for part in parts} | {
        "change": fact.change,
        "text": f"{'-' * (fact.amount < 0)}{fact.size}",
    }


def build(evidence: Evidence) -> Statement:
    facts, dates, proofs = _facts(evidence)
    said = _said(evidence)
    if not said and not facts.get("description") and not proofs:
        return {}
    described = _described(evidence)
    lines = [*([described] if described else []), *(each.text for each in said)]
    if not lines and facts.get("description"):
        lines = [str(facts["description"])]
    lines = lines[: _MOST_OF_ITS_OWN + 1]
    lines += fact_sentences(evidence, facts, summary=" ".join(lines))
    products = [str(f.value["name"]) for f in evidence.members("product") if f.value.get("name")]
    quotes = [each.document.quote(each.text) for each in said]
    return {
        "summary": " ".join(lines[:_MOST_SENTENCES]) or None,
        "facts": facts,
        "facts_as_of": dates,
        "products": products[:_MOST_PRODUCTS],
        "sources": (*quotes, *proofs),
    }


def _facts(evidence: Evidence) -> tuple[dict[str, Any], dict[str, str], list[Quote]]:
    """The facts that matter, the day of each, and what proves them."""
    facts: dict[str, Any] = {
        name: evidence.record[name] for name in _FIELDS if evidence.record.get(name) is not None
    }
    figures = {metric: newest_year(evidence, metric) for metric in ("revenue", "net_income")}
    facts |= {metric: _figure(fact) for metric, fact in figures.items() if fact is not None}
    hiring, hired = _hiring(evidence)
    facts |= hiring
    won = {name: evidence.won(name) for name in _FIELDS}
    dates = {
        name: _day(evidence, fact) for name, fact in (figures | won).items() if fact is not None
    }
    proving = [fact.proof for fact in (*figures.values(), *won.values()) if fact is not None]
    return facts, dates, [*proving, *hired]


def _described(evidence: Evidence) -> str | None:
    """The first sentence of the site's own description that begins with the company, where no report is
    known: sites open with slogans."""
    text = spaced(str(evidence.record.get("description") or ""))
    first = next((text[start:end] for start, end in sentences(text)), "")
    is_told = evidence.annual is None and begins_with_name(first, evidence.name)
    return first if is_told and is_whole(first[:1].upper() + first[1:]) else None


def _day(evidence: Evidence, fact: FactSeen) -> str:
    """The day of the document of a fact, else when it was last seen to say so."""
    same = (d for d in evidence.documents if d.document_id == fact.document_id)
    document = next(same, None)
    said = document.published_at if document is not None else None
    return (said or fact.observed_at).date().isoformat()


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
    labels=(OVERVIEW, SPECIFIC),
)
