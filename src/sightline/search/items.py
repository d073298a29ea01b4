"""Search hits in one shape for signals, passages, postings and technologies."""

from collections.abc import Mapping, Sequence
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
    every = [(hit.passage, *hit.duplicates[:SHOWN_DUPLICATES]) for hit in hits]
    known = await read_shown(connection, [each.place for some in every for each in some])
    return {
        hit.passage.place: _item(hit, [known[p.place] for p in some if p.place in known])
        for hit, some in zip(hits, every, strict=True)
        if hit.passage.place in known
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
        {"company": dict(companies[one]), "score": group.score, "hits": by_company[one]}
        for group in groups
        if (one := group.company_id) in by_company
    ]


def _item(hit: Hit, shown: Sequence[Shown]) -> dict[str, Any]:
    """The item of a hit that is `shown` first, its duplicates after it; times are RFC 3339 in UTC."""
    item, tellers = shown[0].item, [_teller(each) for one in shown for each in one.tellers]
    sources = {each["publisher"]: each for each in reversed(tellers)}  # each publisher once
    return item | {
        "title": item["title"] or hit.quote[:120],
        "quote": item["quote"] or hit.quote or None,
        "source": {"kind": hit.passage.kind, **tellers[0]},
        "corroboration": {
            "count": max(len(sources), hit.passage.publishers),
            "sources": list(sources.values())[::-1],
        },
        "score": hit.score,
        "score_factors": dict(hit.factors),
    }


def _teller(source: Mapping[str, Any]) -> dict[str, Any]:
    """Who reports something, and when."""
    named = {name: source.get(name) for name in ("name", "url", "title", "publisher")}
    publisher = named["publisher"] or publisher_of(named["url"]) or None
    published_at = str(source.get("published_at") or "").replace("+00:00", "Z") or None
    return named | {"publisher": publisher, "published_at": published_at}
