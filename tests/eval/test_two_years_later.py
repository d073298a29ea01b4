"""The bundled companies two years after all that is known of them: nothing of it is news."""

from datetime import datetime, timedelta
from uuid import UUID

import pytest

from sightline.kit.clock import now
from sightline.profile import insights
from sightline.profile.build import draft, draft_for
from sightline.profile.gather import gather, with_texts
from sightline.profile.registry import ORGANIZATION_SECTIONS, SECTIONS
from sightline.profile.seller import Seller
from sightline.reading.onnx_encoder import bundled_encoder
from sightline.reading.periods import latest_day
from sightline.search.ranking import Request
from sightline.search.relevance import relevance
from sightline.store.database import Connection, Database, open_database
from tests.conftest import Tenant
from tests.eval.assistant import load_sample_accounts

pytestmark = pytest.mark.usefixtures("encoder")
AHEAD = ("three_whys", "discovery_questions", "goals")
Reported = list[tuple[str, str]]


async def reported(connection: Connection, company_id: UUID, at: datetime) -> Reported:
    """(where, what) of everything new or ahead."""
    found = await relevance(connection, company_id, Request(at))
    gathered = await gather(connection, company_id, now=at)
    if gathered is None:  # a site that does not answer
        return []
    evidence = insights.read(await with_texts(connection, gathered), bundled_encoder())
    drafts = draft(evidence, [(each, b"") for each in SECTIONS])
    built = {each.name: each.body for each in drafts}
    drafts += draft_for(evidence, built, Seller(), ORGANIZATION_SECTIONS, mark=b"")
    rows = [
        (each.name, str(row["description"]))
        for each in drafts
        if each.name in AHEAD and isinstance(each.body, list)
        for row in each.body
    ]
    return [*(("relevance", each.quote) for each in found), *rows]


async def test_what_is_over_is_told_no_more(
    database_url: str, tenant: Tenant, database: Database
) -> None:
    workers = await open_database(
        database_url, role="sightline_worker", size=4, statement_timeout_seconds=120
    )
    companies = await load_sample_accounts(database, workers, tenant.organization_id)
    today, later = now(), now() + timedelta(days=2 * 365)
    fresh: Reported = []
    stale: Reported = []
    for company_id in companies.values():
        async with workers.connection() as connection:
            fresh += await reported(connection, company_id, today)
            stale += await reported(connection, company_id, later)
    await workers.close()
    assert {"relevance", AHEAD[0]} <= {where for where, _ in fresh}, "the sample is news today"
    # What names a time that is still ahead is no history, however long ago it was said.
    ahead = later.date()
    assert [each for each in stale if (latest_day(each[1]) or ahead) <= ahead] == []
