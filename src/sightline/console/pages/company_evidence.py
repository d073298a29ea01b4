"""A company's evidence: documents opened at a quote, figures, and activity by day."""

from functools import partial
from typing import Final
from urllib.parse import urlencode

from starlette.responses import Response

from sightline.console.finance import AXES, parts, statement
from sightline.console.page import Moved, NothingHere, Shown, Visit, listed
from sightline.console.pages.company import company_of, tab_of
from sightline.console.quotes import marked
from sightline.kit.pictures import picture_type
from sightline.store.company_pages import (
    account_with,
    activity_page,
    documents_page,
    read_document,
    read_logo,
)
from sightline.store.facts import read_facts

KINDS: Final = {
    "signal": "Signals",
    "filing": "Filings",
    "posting": "Postings",
    "change": "Record changes",
    "note": "Notes",
}
_LONGEST_QUOTE: Final = 2_000
# A picture of the web is shown, never opened: no script, no frame, no address in it works.
_PICTURE: Final = {
    "content-security-policy": "default-src 'none'; sandbox",
    "content-disposition": "inline; filename=logo",
    "cache-control": "private, max-age=86400",
}


async def documents(visit: Visit) -> Shown:
    async with visit.reading() as connection:
        company_id, document = await company_of(visit, connection)
        items, where = await listed(visit, partial(documents_page, connection, company_id))
    return tab_of("company_documents.html", "documents", document, items=items, pager=where)


async def document(visit: Visit) -> Shown:
    """One document as it was read, with the quote of the address marked. Raises NothingHere."""
    async with visit.reading() as connection:
        company_id, company = await company_of(visit, connection)
        found = await read_document(connection, company_id, visit.path_id("document_id"))
    if found is None:
        raise NothingHere
    quote = visit.request.query_params.get("quote", "").replace("\x00", "")[:_LONGEST_QUOTE]
    return tab_of(
        "company_document.html",
        "documents",
        company,
        opened=found,
        asked=quote,
        text=marked(found["body_text"], quote, whole=visit.asked("all") == "yes"),
    )


async def cited(visit: Visit) -> Moved:
    """The way to a document whose company the address does not name. Raises NothingHere."""
    document_id = visit.path_id("document_id")
    async with visit.reading() as connection:
        company_id = await account_with(connection, document_id)
    if company_id is None:
        raise NothingHere
    quote = urlencode({"quote": visit.request.query_params.get("quote", "")[:_LONGEST_QUOTE]})
    return Moved(f"/console/companies/{company_id}/documents/{document_id}?{quote}#quote")


async def logo(visit: Visit) -> Response:
    """The company's logo, as the kind of picture that its bytes are. Raises NothingHere."""
    async with visit.reading() as connection:
        company_id, _ = await company_of(visit, connection)
        content = await read_logo(connection, company_id)
    kind = picture_type(content) if content else None
    if kind is None:
        raise NothingHere
    return Response(content, media_type=kind, headers=_PICTURE)


async def financials(visit: Visit) -> Shown:
    async with visit.reading() as connection:
        company_id, document = await company_of(visit, connection)
        figures = await read_facts(connection, company_id, fields=("fiscal_period", "segment"))
    periods = [fact for fact in figures if fact.field == "fiscal_period"]
    segments = [fact for fact in figures if fact.field == "segment"]
    return tab_of(
        "company_financials.html",
        "financials",
        document,
        years=statement(periods, yearly=True),
        quarters=statement(periods, yearly=False),
        parts=[(title, found) for axis, title in AXES.items() if (found := parts(segments, axis))],
    )


async def activity(visit: Visit) -> Shown:
    kind = visit.choice("kind", tuple(KINDS))
    async with visit.reading() as connection:
        company_id, document = await company_of(visit, connection)
        read = partial(activity_page, connection, company_id, kind=kind or None)
        items, where = await listed(visit, read)
    return tab_of(
        "company_activity.html",
        "activity",
        document,
        items=items,
        pager=where,
        kind=kind,
        kinds=KINDS,
        has_model=visit.services.model is not None,
    )
