"""Questions about someone else are not answered for the company; a place has more names than one."""

import pytest

from sightline.assistant.company_evidence import Asked
from sightline.assistant.extractive import names_unknown
from sightline.assistant.turn import open_turn
from sightline.store.database import Database
from tests.api.asking import store_company
from tests.conftest import Tenant
from tests.eval.assistant import make_caller


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who is the CEO of Ochre Holdings?", True),
        ("who is the chief executive of Tidewater Foundry", False),  # its documents name it
        ("Who is the CFO in England?", False),
        ("Who is the CISO?", False),
        ("Is there a Chief Revenue Officer?", False),
        ("who runs the place", False),
    ],
)
async def test_a_name_that_no_document_has_is_somebody_elses(
    question: str, expected: bool, database: Database, database_url: str, tenant: Tenant
) -> None:
    company = await store_company(database, database_url, tenant.organization_id)
    async with database.tenant(tenant.organization_id) as connection:
        turn = await open_turn(
            connection,
            make_caller(tenant.organization_id),
            company,
            message=question,
            session_id=None,
        )
        assert await names_unknown(Asked(turn.evidence, question, None, (question,))) is expected
