"""GLEIF: legal entities by LEI or legal name; their record, parents and children."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Literal
from urllib.parse import quote, urlencode

from sightline.domain.evidence import Body, Parsed
from sightline.sources.contract import (
    Candidate,
    Context,
    Document,
    Parser,
    Query,
    RecordIsUnusable,
    Source,
    Target,
    read_manifest,
)
from sightline.sources.gleif.parse import (
    LeiPage,
    LeiRecord,
    NotLeiRecords,
    child_observations,
    parent_observation,
    read_lei_records,
)

VERSION = 1
_RECORDS = "https://api.gleif.org/api/v1/lei-records"
_JSON: Mapping[str, str] = {"accept": "application/vnd.api+json"}
_FRESH = timedelta(days=7)
_PAGE = 20
_MOST_CHILDREN = 100
# Branches and funds have an LEI of their own; neither is a company that somebody sells to.
_COMPANIES = frozenset({None, "GENERAL", "SOLE_PROPRIETOR", "RESIDENT_GOVERNMENT_ENTITY"})


async def find(context: Context, query: Query) -> Sequence[Candidate]:
    """Entities by LEI, else by legal name, else by any words of their record."""
    lei = query.identifiers.get("lei")
    if lei:
        page = await _page(context, _record_url(lei))
        return [_candidate(record) for record in page.records[:1]]
    if not query.name:
        return []
    for name in ("filter[entity.legalName]", "filter[fulltext]"):
        page = await _page(context, _search_url(name, query.name))
        found = [record for record in page.records if record.category in _COMPANIES]
        if found:
            return [_candidate(record) for record in found]
    return []


async def collect(context: Context, target: Target) -> None:
    """The record, its parents and the first page of its children."""
    record_url = _record_url(target.identifiers["lei"])
    if await _read(context, record_url, read_record) is None:
        context.note(f"GLEIF has no record {target.identifiers['lei']}.")
        return
    for relation in ("direct", "ultimate"):
        await _read(context, f"{record_url}/{relation}-parent", _PARENTS[relation])
    children = f"{record_url}/direct-children?{urlencode({'page[size]': _MOST_CHILDREN})}"
    await _read(context, children, read_children)


def read_record(body: Body) -> Parsed:
    """The entity itself."""
    page = _checked(body)
    if not page.records:
        raise RecordIsUnusable("The answer holds no legal entity.")
    record = page.records[0]
    return Parsed(
        kind="data",
        text="",
        title=record.legal_name,
        observations=record.observations(),
    )


def read_parent(body: Body, *, relation: Literal["direct", "ultimate"]) -> Parsed:
    """The entity that owns it."""
    _checked(body)
    found = parent_observation(body.content, relation)
    return Parsed(kind="data", text="", observations=(found,) if found else ())


def read_children(body: Body) -> Parsed:
    """The entities that it owns directly."""
    total = _checked(body).total
    more = (f"Only {_MOST_CHILDREN} of {total} children were read.",)
    return Parsed(
        kind="data",
        text="",
        observations=child_observations(body.content),
        notes=more if total > _MOST_CHILDREN else (),
    )


_PARENTS: Mapping[str, Parser] = {
    "direct": partial(read_parent, relation="direct"),
    "ultimate": partial(read_parent, relation="ultimate"),
}


def read_page(content: bytes) -> LeiPage:
    """A page of search results; empty when the answer is something else."""
    try:
        return read_lei_records(content)
    except NotLeiRecords:
        return LeiPage((), 0, None)


def _checked(body: Body) -> LeiPage:
    try:
        return read_lei_records(body.content)
    except NotLeiRecords as error:
        raise RecordIsUnusable(str(error)) from error


async def _page(context: Context, url: str) -> LeiPage:
    found = await context.dataset(url, read=read_page, fresh_for=_FRESH)
    return found or LeiPage((), 0, None)


async def _read(context: Context, url: str, parse: Parser) -> Document | None:
    try:
        return await context.document(
            url, parse=parse, version=VERSION, headers=_JSON, fresh_for=_FRESH
        )
    except RecordIsUnusable as error:
        context.note(f"{url.rpartition('/')[2]}: {error}")
        return None


def _record_url(lei: str) -> str:
    return f"{_RECORDS}/{quote(lei.strip().upper(), safe='')}"


def _search_url(name: str, words: str) -> str:
    return f"{_RECORDS}?{urlencode({name: words, 'page[size]': _PAGE})}"


def _candidate(record: LeiRecord) -> Candidate:
    return Candidate(
        source="gleif",
        key=record.lei,
        name=record.legal_name,
        names=tuple(name for name, _ in record.other_names),
        country_code=record.headquarters.country_code or record.legal_address.country_code,
        city=record.headquarters.city,
        identifiers={"lei": record.lei},
    )


GLEIF = Source(
    read_manifest("sightline.sources.gleif"),
    collect,
    find,
    lambda target: "lei" in target.identifiers,
)
