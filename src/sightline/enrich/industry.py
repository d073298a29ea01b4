"""The industry of a company out of what its web site says."""

from collections.abc import Sequence
from uuid import UUID

import structlog

from sightline.domain.evidence import Observation
from sightline.reading.encoder import Encoder, EncoderFailed
from sightline.reading.industry import Said, read_industry
from sightline.reading.sentences import sentences
from sightline.sources.fenced import Fenced
from sightline.store import catalogue
from sightline.store.database import Database
from sightline.store.facts import read_facts, replace_reading
from sightline.store.site_texts import SiteText, site_texts
from sightline.store.work import Work

METHOD = "encoder"
_SOURCE = "website"
_SENTENCES_OF_A_PAGE = 25
_LENGTHS = range(20, 401)
# What a site says of itself in one line counts more than a sentence among many.
_DESCRIPTION, _NAME, _TITLE = 8.0, 2.0, 1.5

log = structlog.get_logger()


async def note_industry(
    database: Database, work: Work | None, company_id: UUID, encoder: Encoder, *, again: bool
) -> tuple[str, ...]:
    """Read the industry out of the site's pages if that was not done yet, or `again`; answers what to
    tell of it."""
    async with database.connection() as connection:
        known = await read_facts(connection, company_id, fields=("industry",))
        if not again and any(fact.method == METHOD for fact in known):
            return ()
        pages = await site_texts(connection, company_id)
        identity = await catalogue.find_company(connection, company_id)
    if not pages or identity is None:
        return ()
    said = _said(pages, identity.name)
    try:
        reading = await read_industry(encoder, [each for each, _ in said])
    except EncoderFailed as error:
        log.warning("industry_not_read", company_id=str(company_id), error=str(error))
        return (f"The industry was not read from the web site: {error}",)
    if reading is None:
        return ()
    place = next((n for n in reading.order if said[n][1] is not None), None)
    quoted = said[place] if place is not None else None
    page = quoted[1] if quoted and quoted[1] else pages[0]
    observation = Observation(
        "industry", reading.name, METHOD, reading.confidence,
        quote=quoted[0].text if quoted else None, pointer="the web site's own words",
    )  # fmt: skip
    async with Fenced(database, work) as connection:
        company_id = await catalogue.note_evidence(connection, company_id)
        await replace_reading(
            connection, company_id, page.document_id, source=_SOURCE, observation=observation,
            seen_at=page.fetched_at,
        )  # fmt: skip
    return ()


def _said(pages: Sequence[SiteText], name: str) -> list[tuple[Said, SiteText | None]]:
    """What the pages say of the company, each with the page whose text holds it word for word."""
    front = pages[0]
    found: list[tuple[Said, SiteText | None]] = [(Said(name, _NAME, front.language), None)]
    if front.title:
        found.append((Said(front.title, _TITLE, front.language), None))
    for page in pages:
        if page.description and (page is front or page.section == "about"):
            weight = _DESCRIPTION if page is front else _TITLE
            holds = page if page.description in page.text else None
            found.append((Said(page.description, weight, page.language), holds))
    for page in pages:
        spans = (
            line[start:end]
            for line in page.text.splitlines()
            for start, end in sentences(line)
            if end - start in _LENGTHS
        )
        taken = [each for each, _ in zip(spans, range(_SENTENCES_OF_A_PAGE), strict=False)]
        found += [(Said(each, 1.0, page.language), page) for each in taken]
    return found
