"""GLEIF: legal entities by LEI or legal name, with their records, parents and children."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Literal
from urllib.parse import quote, urlencode

from sightline.domain.evidence import Body, Link, Parsed
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
    legal_form_observation,
    parent_observation,
    read_lei_records,
)

VERSION = 2
_RECORDS = "https://api.gleif.org/api/v1/lei-records"
_FORMS = "https://api.gleif.org/api/v1/entity-legal-forms"
_JSON: Mapping[str, str] = {"accept": "application/vnd.api+json"}
_FRESH = timedelta(days=7)
_FORM_FRESH = timedelta(days=365)
_PAGE = 20
_MOST_CHILDREN = 100
# Branches and funds have an LEI of their own; neither is a company to sell to.
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
    """The record, then what it says there is: parents, the first page of children, the legal form."""
    record = await _read(context, _record_url(target.identifiers["lei"]), read_record)
    if record is None:
        context.note(f"GLEIF has no record {target.identifiers['lei']}.")
        return
    for link in record.links:
        relation, _, language = link.text.partition(" ")
        if parse := _RELATED.get(relation):
            await _read(context, link.url, parse)
        elif relation == "form":
            form = partial(read_legal_form, language=language)
            await _read(context, link.url, form, fresh_for=_FORM_FRESH)


def read_record(body: Body) -> Parsed:
    """The entity itself; its links lead to what else there is of it, by the word in `text`."""
    page = _checked(body)
    if not page.records:
        raise RecordIsUnusable("The answer holds no legal entity.")
    record = page.records[0]
    return Parsed(
        kind="data",
        text="",
        title=record.legal_name,
        observations=record.observations(),
        links=tuple(_links(record)),
    )


def _links(record: LeiRecord) -> Iterator[Link]:
    for relation, url in record.parents.items():
        if url:
            yield Link(url, "next", relation)
    if record.children:
        yield Link(
            f"{record.children}?{urlencode({'page[size]': _MOST_CHILDREN})}", "next", "children"
        )
    if record.legal_form_code:
        language = record.legal_name_language or ""
        yield Link(f"{_FORMS}/{quote(record.legal_form_code, safe='')}", "next", f"form {language}")


def read_legal_form(body: Body, *, language: str) -> Parsed:
    """The name of a legal form, in the language of the entity's own name where it has one."""
    try:
        found = legal_form_observation(body.content, language)
    except NotLeiRecords as error:
        raise RecordIsUnusable(str(error)) from error
    return Parsed(kind="data", text="", observations=(found,) if found else ())


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


_RELATED: Mapping[str, Parser] = {
    "direct": partial(read_parent, relation="direct"),
    "ultimate": partial(read_parent, relation="ultimate"),
    "children": read_children,
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


async def _read(
    context: Context, url: str, parse: Parser, *, fresh_for: timedelta = _FRESH
) -> Document | None:
    try:
        return await context.document(
            url, parse=parse, version=VERSION, headers=_JSON, fresh_for=fresh_for
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
