"""Wikidata: companies by website, identifier or name, and the statements of their items."""

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any
from urllib.parse import urlencode

from sightline.domain.evidence import Body, Link, Parsed
from sightline.sources.contract import (
    Candidate,
    Context,
    Query,
    RecordIsUnusable,
    Source,
    Target,
    read_manifest,
)
from sightline.sources.wikidata.parse import (
    Entity,
    NotWikidata,
    read_entities,
    read_entity,
    read_labels,
    read_search,
    read_statement_search,
)

VERSION = 1
_API = "https://www.wikidata.org/w/api.php"
_ENTITY = "https://www.wikidata.org/wiki/Special:EntityData/{}.json"
_FRESH = timedelta(days=7)
_JUST_NOW = timedelta(hours=1)
_MOST_ITEMS = 10
_IDS_A_REQUEST = 50
_MOST_LABELS = 200
_STATED = {"cik": "P5531", "lei": "P1278"}
_NAMES = frozenset({"legal_name", "alternative_name"})
_KEYS = {"query": {"query"}, "wbgetentities": {"entities"}, "wbsearchentities": {"search"}}


async def find(context: Context, query: Query) -> Sequence[Candidate]:
    """Items of companies by their id, by a website or identifier that they state, or by name."""
    ids = await _ids(context, query)
    asked = {"props": "labels|aliases|descriptions|claims", "ids": "|".join(ids)}
    content = await _ask(context, "wbgetentities", asked) if ids else None
    if content is None:
        return []
    companies = [each for each in read_entities(content) if each.is_company]
    labels = await _labels(context, sorted({ref for each in companies for ref in each.references}))
    return [_candidate(each) for each in read_entities(content, labels) if each.is_company]


async def collect(context: Context, target: Target) -> None:
    """What the company's item states, with the names of the items that it refers to."""
    url = _ENTITY.format(target.identifiers["wikidata_id"])
    item = await context.document(url, parse=read_item, version=VERSION, about=False)
    if item is None:
        context.note(f"Wikidata has no item {target.identifiers['wikidata_id']}.")
        return
    labels = await _labels(context, [link.text for link in item.links if link.text])
    # The stored answer is read once more, now that what it refers to has names.
    await context.document(
        url,
        parse=partial(read_item, labels=labels),
        version=VERSION,
        fresh_for=_JUST_NOW,
    )


def read_item(body: Body, *, labels: Mapping[str, str] | None = None) -> Parsed:
    """An item; its links name the items whose labels are needed to read all of it."""
    try:
        entity = read_entity(body.content, labels)
    except NotWikidata as error:
        raise RecordIsUnusable(str(error)) from error
    if entity is None:
        raise RecordIsUnusable("The answer holds no item.")
    if not entity.is_company:
        raise RecordIsUnusable(f"{entity.id} is not about a company.")
    return Parsed(
        kind="data",
        text="",
        title=entity.label,
        language="en",
        observations=entity.observations,
        links=tuple(Link(_ENTITY.format(key), "next", key) for key in entity.references),
    )


async def _ids(context: Context, query: Query) -> list[str]:
    if item := query.identifiers.get("wikidata_id"):
        return [item]
    stated = _stated(query)
    if stated:
        asked = {"list": "search", "srsearch": stated, "srlimit": str(_MOST_ITEMS)}
        content = await _ask(context, "query", asked)
        found = read_statement_search(content) if content else ()
        if found:
            return sorted(found)
    if not query.name:
        return []
    asked = {"search": query.name, "language": "en", "type": "item", "limit": str(_MOST_ITEMS)}
    content = await _ask(context, "wbsearchentities", asked)
    return sorted({item.id for item in read_search(content)}) if content else []


def _stated(query: Query) -> str:
    """What an item of the company states: its identifier elsewhere, or one of the spellings of its
    website. A search for statements knows only whole values."""
    for scheme, name in _STATED.items():
        if value := query.identifiers.get(scheme):
            return f"haswbstatement:{name}={value}"
    if not query.domain:
        return ""
    spelled = [
        f"P856={scheme}://{host}{path}"
        for scheme in ("https", "http")
        for host in (f"www.{query.domain}", query.domain)
        for path in ("/", "")
    ]
    return "haswbstatement:" + "|".join(spelled)


async def _labels(context: Context, ids: Sequence[str]) -> dict[str, str]:
    """The names of items; what Wikidata does not tell is left out."""
    labels: dict[str, str] = {}
    for start in range(0, min(len(ids), _MOST_LABELS), _IDS_A_REQUEST):
        part = ids[start : start + _IDS_A_REQUEST]
        asked = {"ids": "|".join(part), "props": "labels"}
        content = await _ask(context, "wbgetentities", asked)
        if content is not None:
            labels |= read_labels(content)
    return labels


async def _ask(context: Context, action: str, asked: Mapping[str, str]) -> bytes | None:
    """An answer of the API that has the shape of one; None when there is none."""
    parameters = {"action": action, "format": "json", **asked}
    content = await context.dataset(f"{_API}?{urlencode(parameters)}", read=bytes, fresh_for=_FRESH)
    if content is None or not _KEYS[action] & _keys(content):
        return None
    return content


def _keys(content: bytes) -> set[str]:
    try:
        data = json.loads(content)
    except ValueError:
        return set()
    return set(data) if isinstance(data, dict) else set()


def _candidate(entity: Entity) -> Candidate:
    """The item as a company that may be meant."""
    seen: dict[str, Any] = {}
    for each in entity.observations:
        seen.setdefault(each.field, each.value)
    return Candidate(
        source="wikidata",
        key=entity.id,
        name=entity.label,
        names=tuple(str(o.value) for o in entity.observations if o.field in _NAMES),
        domain=seen.get("website_domain"),
        country_code=seen.get("country_code"),
        city=seen.get("hq_city"),
        ticker=seen.get("stock_ticker"),
        identifiers={
            scheme: str(seen[scheme]) for scheme in ("wikidata_id", "cik", "lei") if scheme in seen
        },
    )


WIKIDATA = Source(
    read_manifest("sightline.sources.wikidata"),
    collect,
    find,
    lambda target: "wikidata_id" in target.identifiers,
)
