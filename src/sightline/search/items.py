"""Search hits in one shape for signals, passages, postings and technologies."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sightline.search.across import Group
from sightline.search.ranking import Hit
from sightline.search.units import publisher_of
from sightline.store.database import Connection
from sightline.store.indexable import Shown, read_shown
from sightline.store.passages import Place

SHOWN_DUPLICATES = 8


async def read_items(connection: Connection, hits: Sequence[Hit]) -> dict[Place, dict[str, Any]]:
    """The item of each hit, of one company or of several; those gone meanwhile are left out."""
    others = {
        hit.passage.place: [each.place for each in hit.duplicates[:SHOWN_DUPLICATES]]
        for hit in hits
    }
    every = [*others, *(place for some in others.values() for place in some)]
    known = await read_shown(connection, every)
    return {
        place: item_of(hit, known[place], [known[at] for at in some if at in known])
        for hit, (place, some) in zip(hits, others.items(), strict=True)
        if place in known
    }


async def read_groups(
    connection: Connection,
    groups: Sequence[Group],
    companies: Mapping[UUID, Mapping[str, Any]],
    *,
    per_company: int,
) -> list[dict[str, Any]]:
    """{company, score, hits} of each group that still has a hit; `companies` describes them."""
    hits = [hit for group in groups for hit in group.hits[:per_company]]
    by_company: dict[UUID, list[dict[str, Any]]] = {}
    for (company_id, _), item in (await read_items(connection, hits)).items():
        by_company.setdefault(company_id, []).append(item)
    return [
        {
            "company": dict(companies[group.company_id]),
            "score": group.score,
            "hits": by_company[group.company_id],
        }
        for group in groups
        if group.company_id in by_company
    ]


def item_of(hit: Hit, shown: Shown, duplicates: Iterable[Shown]) -> dict[str, Any]:
    """The item of one hit; times are RFC 3339 in UTC."""
    passage = hit.passage
    item: dict[str, Any] = {
        "id": str(passage.passage_id),
        "family": passage.family,
        "type": None,
        "title": passage.heading or passage.title or shown.title or hit.quote[:120],
        "summary": None,
        "quote": hit.quote or None,
        "source": {"kind": passage.kind, **_source(shown)},
        "document_id": str(shown.document_id) if shown.document_id else None,
        "occurred_at": _time(shown.published_at),
        "detected_at": _time(shown.fetched_at),
        **dict.fromkeys(
            ("expires_at", "planned", "background", "confidence", "amount", "location")
        ),
        "parties": [],
    }
    item |= _of_signal(shown.signal) if shown.signal else {}
    item |= _of_job(shown.job) if shown.job else {}
    item |= _of_technology(shown.technology) if shown.technology else {}
    sources = _sources([shown, *duplicates])
    item["corroboration"] = {"count": max(len(sources), passage.publishers), "sources": sources}
    item["score"] = hit.score
    item["score_factors"] = dict(hit.factors)
    return item


def _source(shown: Shown) -> dict[str, Any]:
    mentioned = (shown.signal or {}).get("source") or {}
    url = (shown.job or {}).get("url") or shown.url or mentioned.get("url")
    described = {
        "name": shown.source or (shown.job or {}).get("source") or mentioned.get("name"),
        "url": url,
        "title": shown.title,
        "publisher": publisher_of(url) or None,
        "published_at": _time(shown.published_at),
    }
    return described | {key: _utc(key, mentioned[key]) for key in described if mentioned.get(key)}


def _sources(every: Iterable[Shown]) -> list[dict[str, Any]]:
    """Who tells it, each publisher once."""
    by_publisher: dict[Any, dict[str, Any]] = {}
    for shown in every:
        own = _source(shown)
        mentions = [{name: _utc(name, each.get(name)) for name in own} for each in shown.mentions]
        for source in (own, *mentions):
            by_publisher.setdefault(source["publisher"] or publisher_of(source["url"]), source)
    return list(by_publisher.values())


def _of_signal(signal: Mapping[str, Any]) -> dict[str, Any]:
    named = ("family", "type", "title", "summary", "quote", "document_id", "occurred_at", "detected_at",
             "expires_at", "planned", "background", "parties", "amount", "location")  # fmt: skip
    own = {name: _utc(name, signal[name]) for name in named}
    confidence = round(signal["confidence"], 3)
    return own | {"id": str(signal["signal_id"]), "confidence": confidence}


def _of_job(job: Mapping[str, Any]) -> dict[str, Any]:
    parts = ("city", "region", "country_code")
    places = [
        ", ".join(str(place[part]) for part in parts if place.get(part))
        or str(place.get("raw") or "")
        for place in job["locations"]
    ]
    return {
        "id": str(job["job_id"]),
        "title": job["title"],
        "occurred_at": _utc("occurred_at", job["posted_at"]),
        "detected_at": _utc("detected_at", job["first_seen_at"]),
        "location": "; ".join(dict.fromkeys(list(filter(None, places))[:3])) or None,
    }


def _of_technology(fact: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": str(fact["fact_id"]),
        "quote": fact["quote"],
        "detected_at": _utc("detected_at", fact["first_seen_at"]),
        "confidence": round(fact["confidence"], 3),
    }


def _utc(name: str, value: Any) -> Any:
    """JSON times of the database in the one form that answers have; everything else as it is."""
    if not isinstance(value, str) or not name.endswith("_at"):
        return value
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return _time(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def _time(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z") if moment else None
