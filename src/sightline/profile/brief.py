"""The brief for a call: the company, its figures, what changed, why now, whom to call, what to ask.

It is put together from what is stored, each line with its source, and calls no model: where a model wrote
sections of the profile, the brief has its words.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID

from sightline.domain.countries import seat_in_words
from sightline.reading.sentences import sentences
from sightline.reading.stated import normalized
from sightline.store import profiles
from sightline.store.briefs import current_changes
from sightline.store.companies import company_document, present_company
from sightline.store.database import Tenant
from sightline.store.facts import Fact, read_facts
from sightline.store.profile_evidence import document_addresses

_HEAD: Final = (
    "company_name", "website_domain", "industry", "sector", "hq_city", "hq_country_name",
    "stock_ticker", "public_company",
)  # fmt: skip
_METRICS: Final = {
    "revenue": "Revenue",
    "operating_income": "Operating income",
    "net_income": "Net income",
    "research_and_development": "Research and development",
}
_YEARS: Final = 5
_MOST_CHANGES: Final = 5
_MOST_OF_A_FAMILY: Final = 2
_MOST_PEOPLE: Final = 6
_MOST_QUESTIONS: Final = 4
_LONGEST_SUMMARY: Final = 400  # characters
_MOST_OFFERS: Final = 3
_WHY_NOW: Final = "Why now?"
_OF_DOCUMENT: Final = ("title", "published_at")
_SECTIONS: Final = (
    "overview", "key_executives", "three_whys", "discovery_questions", "how_they_make_money",
)  # fmt: skip


@dataclass
class _Sources:
    """Documents in the order of their first use, numbered from 1."""

    addresses: Mapping[UUID, Mapping[str, Any]] = field(default_factory=dict)  # of facts' documents
    rows: list[dict[str, Any]] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)

    def cite(self, source: Mapping[str, Any]) -> dict[str, Any]:
        """`source` has url, title, published_at and perhaps document_id and quote."""
        document_id = _text(source.get("document_id"))
        key = document_id or str(source.get("url"))
        if key not in self.numbers:
            known = self.addresses.get(UUID(document_id)) if document_id else None
            shown = {**source, **{part: known[part] for part in _OF_DOCUMENT}} if known else source
            self.numbers[key] = len(self.rows) + 1
            self.rows.append(
                {
                    "n": self.numbers[key],
                    "document_id": document_id,
                    "url": source.get("url"),
                    "title": shown.get("title"),
                    "published_at": _moment(shown.get("published_at")),
                }
            )
        return {"n": self.numbers[key], "quote": source.get("quote")}


async def read_brief(tenant: Tenant, company_id: UUID, *, now: datetime) -> dict[str, Any] | None:
    """The brief as it is served; None when neither catalogue nor organization knows the company.

    Lines are {text, as_of, sources: [{n, quote}]} and more by part; `sources` lists the documents by `n`.
    A part that nothing is known for is empty.
    """
    present = await present_company(tenant, company_id)
    found = await company_document(tenant, company_id)
    if present is None or found is None:
        return None
    document = json.loads(found[0])
    facts = await read_facts(tenant, present)
    stored = await profiles.read_sections(tenant, present, sections=_SECTIONS, with_sources=True)
    sections = {row.section: json.loads(row.body) for row in stored}
    changes = await current_changes(tenant, present)
    overview = sections.get("overview") or {}
    sources = _Sources(await document_addresses(tenant, {f.document_id for f in facts}))
    of = {name: sections.get(name) or [] for name in _SECTIONS}
    head = {name: document[name] for name in _HEAD if document.get(name) not in (None, "")}
    why_now = _why_now(of["three_whys"], sources)
    figures = _figures(facts, sources)
    return {
        "company": {"company_id": str(present), **head},
        "as_of": now.date().isoformat(),
        "note": _note(stored),
        "summary": _summary(document, overview, facts, sources),
        "figures": figures,
        "offers": [] if figures else _offers(of["how_they_make_money"], sources),
        "changes": [_change(row, sources) for row in _varied(changes)],
        "why_now": why_now,
        "people": _people(of["key_executives"], document, facts, sources),
        "questions": [
            _line(row["name"], row.get("sources"), sources, about=_unsaid(row))
            for row in of["discovery_questions"][:_MOST_QUESTIONS]
        ],
        "sources": sources.rows,
    }


def _unsaid(row: Mapping[str, Any]) -> str | None:
    """What a question rests on, unless it quotes that itself."""
    about = row.get("description")
    return None if about and about in row["name"] else about


def _note(stored: Sequence[profiles.ServedSection]) -> str | None:
    """What to mind: that the newest annual report is old."""
    described = (json.loads(row.described)["annual_source"] for row in stored)
    annual = next(described, None)
    if annual is None or not annual["outdated"]:
        return None
    day = day_in_words(annual["published_at"])
    return f"The newest annual report is from {day}: what it says about people and plans may be outdated."


def day_in_words(moment: str) -> str:
    """ "February 20, 2026" of a day or moment as JSON has it."""
    return f"{date.fromisoformat(moment[:10]):%B %-d, %Y}"


def _offers(rows: Sequence[Mapping[str, Any]], sources: _Sources) -> list[dict[str, Any]]:
    """What a company sells of which no figures are known, in its own words."""
    return [
        _line(as_quote(row["description"], row.get("sources")), row.get("sources"), sources)
        for row in rows[:_MOST_OFFERS]
    ]


def as_quote(text: str, proven: Sequence[Mapping[str, Any]] | None) -> str:
    """A sentence of a source as its words, "In its 10-K of May 20, 2026: “We …”"; one of our own as it is."""
    for each in proven or ():
        said = normalized(each.get("quote") or "")
        if not said or not normalized(text).endswith(said):
            continue
        title, host = each.get("title") or "", urlsplit(each.get("url") or "").hostname
        form, of_a_period, _ = title.partition(" for ")
        where = f"In its {form}" if of_a_period else f"On {host}" if host else "In its own words"
        day = _moment(each.get("published_at"))
        return f"{where}{f' of {day_in_words(day)}' if day else ''}: “{said}”"
    return text


def _line(
    text: str, proven: Sequence[Mapping[str, Any]] | None, sources: _Sources, **more: Any
) -> dict[str, Any]:
    cited = list(proven or ())
    dates = [day for each in cited if (day := _moment(each.get("published_at")))]
    return {
        "text": text,
        **more,
        "as_of": max(dates, default=None),
        "sources": [sources.cite(each) for each in cited],
    }


def _summary(
    document: Mapping[str, Any],
    overview: Mapping[str, Any],
    facts: Sequence[Fact],
    sources: _Sources,
) -> list[dict[str, Any]]:
    """What it does, in its own words, then where it is and how many work there."""
    lines = []
    said, proven = overview.get("summary"), overview.get("sources") or []
    if not said and document.get("description"):
        said, proven = document["description"], _winning(facts, "description")
    if said:
        first = _first_sentence(said)
        own = [each for each in proven if first in normalized(each.get("quote") or "")]
        lines.append(_line(as_quote(first, own), own or proven, sources))
    if known := _known(document):
        name = document.get("company_name") or document.get("website_domain") or "The company"
        proven = _winning(facts, "hq_address", "employees", "ticker")
        lines.append(_line(f"{name} {_joined(known)}.", proven, sources))
    return lines


def _known(document: Mapping[str, Any]) -> list[str]:
    """Where it is, how many work there, and how it trades."""
    place = seat_in_words(document.get("hq_city"), document.get("hq_country_name"))
    people = document.get("full_time_employees") or document.get("employee_count_range")
    counted = f"{people:,}" if isinstance(people, int) else people
    phrases = (
        ("is based in", place),
        ("has", people and f"{counted} employees"),
        ("trades as", document.get("stock_ticker")),
    )
    return [f"{verb} {value}" for verb, value in phrases if value]


def _first_sentence(text: str) -> str:
    spans = sentences(text)
    first = text[slice(*spans[0])].strip() if spans else text.strip()
    if len(first) <= _LONGEST_SUMMARY:
        return first
    return f"{first[:_LONGEST_SUMMARY].rsplit(' ', 1)[0]} …"


def _joined(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _winning(facts: Sequence[Fact], *fields: str) -> list[dict[str, Any]]:
    """The sources of the values that make the record; of values of our own there is none."""
    return [_source(fact) for fact in facts if fact.wins and fact.field in fields]


def _source(fact: Fact) -> dict[str, Any]:
    return {
        "document_id": fact.document_id,
        "url": fact.url,
        "title": fact.source,
        "published_at": fact.as_of or fact.observed_at,
        "quote": fact.quote,
    }


def _figures(facts: Sequence[Fact], sources: _Sources) -> list[dict[str, Any]]:
    """Figures by fiscal year, newest first in `trend`; `change` is the fraction from the prior year."""
    rows = []
    for metric, label in _METRICS.items():
        years = _years_of(facts, metric)
        if not years:
            continue
        newest = years[0]
        rows.append(
            {
                "label": label.replace("income", "loss") if newest.value["amount"] < 0 else label,
                "amount": newest.value["amount"],
                "currency": newest.value.get("currency"),
                "period": newest.value["label"],
                "period_end": str(newest.value["period_end"]),
                "change": newest.value.get("change"),
                "trend": [
                    {"period": each.value["label"], "amount": each.value["amount"]}
                    for each in years[:_YEARS]
                ],
                "sources": [sources.cite(_source(newest))],
            }
        )
    return rows


def _years_of(facts: Sequence[Fact], metric: str) -> list[Fact]:
    """One fact a fiscal year, as last said, the newest year first."""
    found: dict[str, Fact] = {}
    for fact in facts:
        value = fact.value
        if fact.field != "fiscal_period" or value.get("metric") != metric:
            continue
        if not str(value.get("label")).startswith("FY") or value.get("amount") is None:
            continue
        known = found.get(str(value["period_end"]))
        if known is None or fact.observed_at > known.observed_at:
            found[str(value["period_end"])] = fact
    return [found[end] for end in sorted(found, reverse=True)]


def _varied(changes: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The newest few, no more than two of one family."""
    chosen: list[Mapping[str, Any]] = []
    for row in changes:
        if sum(each["family"] == row["family"] for each in chosen) < _MOST_OF_A_FAMILY:
            chosen.append(row)
    return sorted(chosen[:_MOST_CHANGES], key=lambda row: row["at"], reverse=True)


def _change(row: Mapping[str, Any], sources: _Sources) -> dict[str, Any]:
    source = {
        "document_id": row["document_id"],
        "url": row["url"],
        "title": row["document_title"],
        "published_at": row["published_at"],
        "quote": row["quote"],
    }
    return {
        "text": row["title"],
        "date": row["at"].date().isoformat(),
        "precision": row["precision"],
        "type": row["type"],
        "planned": bool(row["planned"]),
        "signal_id": str(row["signal_id"]),
        "as_of": _moment(row["published_at"]),
        "sources": [sources.cite(source)] if row["document_id"] else [],
    }


def _why_now(whys: Sequence[Mapping[str, Any]], sources: _Sources) -> list[dict[str, Any]]:
    """The whys; the one that the part is called by has no label of its own."""
    return [
        _line(
            as_quote(row["description"], row.get("sources")),
            row.get("sources"),
            sources,
            about=None if row.get("name") == _WHY_NOW else row.get("name"),
        )
        for row in whys
    ]


def _people(
    executives: Sequence[Mapping[str, Any]],
    document: Mapping[str, Any],
    facts: Sequence[Fact],
    sources: _Sources,
) -> list[dict[str, Any]]:
    """Executives with the title that the source gives them; else the chief executive of the record."""
    people = [
        _line(row["name"], row.get("sources"), sources, title=row.get("title"))
        for row in executives[:_MOST_PEOPLE]
    ]
    if not people and document.get("ceo"):
        proven = _winning(facts, "ceo")
        people = [_line(document["ceo"], proven, sources, title="Chief Executive Officer")]
    return people


def _text(value: Any) -> str | None:
    return str(value) if value is not None else None


def _moment(value: Any) -> str | None:
    if value is None:
        return None
    return value if isinstance(value, str) else str(value.isoformat())
