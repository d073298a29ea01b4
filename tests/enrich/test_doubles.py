"""Companies that would be two rows of the catalogue: kept one, named, merged, and parted again."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from sightline.domain.callers import OrganizationId
from sightline.domain.names import name_key
from sightline.domain.postings import ParsedPosting
from sightline.enrich.merge import merge, undo
from sightline.enrich.unite import unite
from sightline.store import catalogue
from sightline.store.account_writes import AccountState, write_accounts
from sightline.store.credits import grant
from sightline.store.database import Connection, Database
from sightline.store.postings import store_pull
from tests.enrich.conftest import Drain, RecordedWeb

V1 = "/public-api/v1"


@pytest.fixture(autouse=True)
async def credits(database: Database, organization: OrganizationId) -> None:
    async with database.tenant(organization) as connection:
        await grant(connection, credit="company", amount=20, reason="test")


async def enrich(client: httpx.AsyncClient, drain: Drain, **body: str) -> dict[str, Any]:
    """The operation once it is done."""
    answer = await client.post(f"{V1}/companies", json=body)
    assert answer.status_code == 202, answer.text
    await drain()
    done: dict[str, Any] = (await client.get(answer.json()["status_url"])).json()
    return done


@pytest.mark.parametrize(
    ("first", "second"), [("old", "harbor"), ("harbor", "old")], ids=["old-first", "new-first"]
)
async def test_a_domain_that_leads_to_another_makes_no_second_company(
    client: httpx.AsyncClient,
    drain: Drain,
    web: RecordedWeb,
    database: Database,
    first: str,
    second: str,
) -> None:
    web.redirect("https://old.example/", "https://harbor.example/")
    one = await enrich(client, drain, domain=f"{first}.example")
    two = await enrich(client, drain, domain=f"{second}.example")
    assert (one["status"], two["status"]) == ("succeeded", "succeeded")
    assert one["company_id"] == two["company_id"]
    async with database.connection() as connection:
        assert await connection.fetchval("SELECT count(*) FROM companies") == 1
        domains = await connection.fetch("SELECT domain FROM company_domains ORDER BY domain")
    assert [row["domain"] for row in domains] == ["harbor.example", "old.example"]


async def test_companies_of_one_entry_become_one_unless_something_speaks_against_it(
    client: httpx.AsyncClient, drain: Drain, worker_database: Database
) -> None:
    async with worker_database.connection() as connection, connection.transaction():
        other = await catalogue.make_company(connection, name="Harbor Analytics Group", domain=None)
        mine = await catalogue.make_company(
            connection, name="Harbor Analytics", domain="harbor.example"
        )
        await catalogue.add_identifiers(connection, other, {"lei": "LEI1"})
    done = await enrich(client, drain, domain="harbor.example")
    assert done["company_id"] == str(other), "the older one stays"
    [note] = [n for step in done["steps"] for n in step["notes"] if "companies undo" in n]
    company = (await client.get(f"{V1}/companies/{mine}")).json()
    assert company["merged_into"] == str(other)
    # The one who parts them is not overruled by the next enrichment, which says so.
    await undo(worker_database, UUID(note.split()[-1]))
    for _ in range(2):
        again = await enrich(client, drain, id=str(mine))
        assert again["company_id"] == str(mine)
        notes = [n for step in again["steps"] for n in step["notes"]]
        command = f"sightline companies merge {mine} {other}"
        [left] = [n for n in notes if n.endswith(command)]
        assert "earlier merge of the two was undone" in left
    company = (await client.get(f"{V1}/companies/{mine}")).json()
    assert company.get("merged_into") is None


async def import_account(
    database: Database, organization: OrganizationId, name: str, domain: str, reference: str
) -> AccountState:
    """An account as an import leaves it: of a company that only the organization knows."""
    account_id = uuid4()
    state = AccountState(
        account_id=account_id,
        company_id=account_id,
        name_key=name_key(name),
        own={"company_name": name, "website_domain": domain},
        own_sources={},
        catalogue={},
        domains={domain},
        references=set(),
        is_new=True,
        added_domains={domain},
        added_references={("crm", reference)},
    )
    async with database.tenant(organization) as connection:
        await write_accounts(connection, [state])
    return state


async def account_rows(database: Database, organization: OrganizationId) -> dict[str, UUID]:
    async with database.tenant(organization) as connection:
        rows = await connection.fetch("SELECT company_name, company_id FROM accounts")
    return {row["company_name"]: row["company_id"] for row in rows}


@pytest.mark.parametrize(
    "asked",
    [
        {"domain": "old.example"},
        {"company_name": "Pier Data", "external_id": "C-2", "source_system": "crm"},
        {"id": "of the account"},
    ],
    ids=["domain", "reference", "id"],
)
async def test_two_accounts_of_one_company_are_told_and_kept(
    client: httpx.AsyncClient,
    drain: Drain,
    web: RecordedWeb,
    database: Database,
    organization: OrganizationId,
    asked: dict[str, str],
) -> None:
    web.redirect("https://old.example/", "https://harbor.example/")
    await import_account(database, organization, "Harbor Analytics", "harbor.example", "C-1")
    old = await import_account(database, organization, "Pier Data", "old.example", "C-2")
    one = await enrich(client, drain, domain="harbor.example")
    asked = {"id": str(old.company_id)} if "id" in asked else asked
    two = await enrich(client, drain, **asked)
    assert one["company_id"] == two["company_id"]
    notes = [note for step in two["steps"] for note in step["notes"]]
    [note] = [each for each in notes if "Two of your accounts" in each]
    assert "Pier Data" in note
    assert "Harbor" in note
    rows = await account_rows(database, organization)
    assert len(rows) == 2
    assert rows["Pier Data"] == old.company_id


async def test_an_account_whose_domain_leads_to_a_known_company_becomes_that_companys(
    client: httpx.AsyncClient,
    drain: Drain,
    web: RecordedWeb,
    database: Database,
    worker_database: Database,
    organization: OrganizationId,
) -> None:
    async with worker_database.connection() as connection, connection.transaction():
        known = await catalogue.make_company(
            connection, name="Harbor Analytics", domain="harbor.example"
        )
    web.redirect("https://old.example/", "https://harbor.example/")
    old = await import_account(database, organization, "Pier Data", "old.example", "C-2")
    done = await enrich(client, drain, domain="old.example")
    assert done["company_id"] == str(known)
    assert await account_rows(database, organization) == {"Pier Data": known}
    answer = await client.get(f"{V1}/companies/{old.company_id}")
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("name", ["HARBOR ANALYTICS", "The pier people"])
async def test_a_company_asked_for_by_name_is_the_account_that_is_on_the_list(
    client: httpx.AsyncClient,
    drain: Drain,
    database: Database,
    worker_database: Database,
    organization: OrganizationId,
    name: str,
) -> None:
    async with worker_database.connection() as connection, connection.transaction():
        known = await catalogue.make_company(
            connection, name="Harbor Analytics", domain="harbor.example"
        )
    listed = await import_account(database, organization, name, "harbor.example", "C-1")
    done = await enrich(client, drain, company_name="Harbor Analytics")
    assert done["company_id"] == str(known)
    async with database.tenant(organization) as connection:
        rows = await connection.fetch("SELECT account_id, company_id FROM accounts")
    assert [tuple(row) for row in rows] == [(listed.account_id, known)]


async def test_a_name_means_the_organization_s_own_account_of_it_before_a_namesake(
    client: httpx.AsyncClient, drain: Drain, database: Database, worker_database: Database,
    organization: OrganizationId,
) -> None:  # fmt: skip
    """Of three companies of one name in the catalogue, one is on the organization's list."""
    async with worker_database.connection() as connection, connection.transaction():
        made = [
            await catalogue.make_company(connection, name="Pier Data", domain=f"{each}.example")
            for each in ("one", "two", "three")
        ]
    unlisted = await enrich(client, drain, company_name="Pier Data")
    assert unlisted["match"]["status"] == "ambiguous"
    await list_company(database, organization, made[1], "Pier Data Inc.")
    done = await enrich(client, drain, company_name="Pier Data")
    assert (done["company_id"], done["match"]["features"]) == (
        str(made[1]), {"only_account_of_name": 1.0},
    )  # fmt: skip
    for more in ({"external_id": "9", "source_system": "lei"}, {"domain": "three.example"}):
        other = await enrich(client, drain, company_name="Pier Data", **more)
        assert other["match"]["features"] != {"only_account_of_name": 1.0}
    await list_company(database, organization, made[0], "PIER DATA")
    again = await enrich(client, drain, company_name="Pier Data")
    assert again["match"]["status"] == "ambiguous", "two of them are on the list now"


async def test_another_reference_of_the_same_system_is_another_company(
    client: httpx.AsyncClient, drain: Drain, database: Database, worker_database: Database,
    organization: OrganizationId,
) -> None:  # fmt: skip
    async with worker_database.connection() as connection, connection.transaction():
        made = await catalogue.make_company(connection, name="Pier Data", domain="one.example")
        await catalogue.make_company(connection, name="Pier Data", domain="two.example")
    await list_company(database, organization, made, "Pier Data", reference=("crm", "1"))
    for asked, status in ((("crm", "2"), "ambiguous"), (("erp", "2"), "matched")):
        system, number = asked
        done = await enrich(
            client, drain, company_name="Pier Data", external_id=number, source_system=system
        )
        assert done["match"]["status"] == status


async def test_what_an_own_account_says_finds_the_company_that_its_name_alone_does_not(
    client: httpx.AsyncClient, drain: Drain, database: Database, organization: OrganizationId
) -> None:
    unlisted = await enrich(client, drain, company_name="Atlas Works")
    assert unlisted["match"]["status"] == "ambiguous"
    account_id = uuid4()
    await list_company(database, organization, account_id, "Atlas Works", country_code="US")
    done = await enrich(client, drain, company_name="Atlas Works")
    candidates = done["match"]["candidates"]
    assert candidates[0]["identifiers"] == {"lei": "LEI4"}
    assert candidates[0]["score"] > candidates[1]["score"]


async def list_company(
    database: Database,
    organization: OrganizationId,
    company_id: UUID,
    name: str,
    *,
    reference: tuple[str, str] | None = None,
    **own: str,
) -> None:
    """Make a company an account under a name."""
    state = AccountState(
        account_id=uuid4(),
        company_id=company_id,
        name_key=name_key(name),
        own={"company_name": name} | own,
        own_sources={"company_name": {"source": "user"}},
        catalogue={},
        domains=set(),
        references=set(),
        is_new=True,
        added_references={reference} if reference else set(),
    )
    async with database.tenant(organization) as connection:
        await write_accounts(connection, [state])


@pytest.mark.parametrize(
    ("other", "domain", "country", "becomes_one"),
    [
        ("Harbor Analytics Inc.", None, None, True),
        ("Harbor Analytics", "elsewhere.example", None, False),
        ("Harbor Analytics", None, "NO", False),
        ("Pier Data", None, None, False),
    ],
    ids=["one name", "another site", "another country", "another name"],
)
async def test_companies_of_one_name_that_hire_on_one_board_become_one(
    worker_database: Database,
    other: str,
    domain: str | None,
    country: str | None,
    becomes_one: bool,
) -> None:
    async with worker_database.connection() as connection, connection.transaction():
        one = await catalogue.make_company(
            connection, name="Harbor Analytics", domain="harbor.example"
        )
        two = await catalogue.make_company(connection, name=other, domain=domain)
        for company_id, code in ((one, "DE"), (two, country)):
            record = (await found(connection, company_id)).record
            placed = {**record, **({"country_code": code} if code else {})}
            await catalogue.write_record(connection, company_id, placed)
        await hire(connection, "harbor", [one, two], url="https://jobs.harbor.example/1")
        union = await unite(connection, two)
        assert (union.company_id, union.is_contested) == (
            (one, False) if becomes_one else (two, True)
        )


async def hire(
    connection: Connection,
    token: str,
    companies: Sequence[UUID],
    *,
    url: str = "https://jobs.lever.co/harbor/1",
    text: str = "",
) -> None:
    """Have one posting of a board pulled for each of the companies."""
    posting = ParsedPosting(external_id="1", title="Pilot", url=url, description=text)
    for company_id in companies:
        await store_pull(
            connection,
            company_id,
            board=f"lever/{token}",
            source="job_boards",
            listed=[posting],
            complete=True,
            document_id=None,
            pulled_at=datetime(2026, 1, 2, tzinfo=UTC),
        )


@pytest.mark.parametrize(
    ("site", "token", "posting", "becomes_one"),
    [
        ("outsider.example", "harbor", {}, False),
        ("harbor.example", "harbor", {}, False),
        ("harbor.com", "harbor", {}, False),
        ("harboranalytics.com", "harbor", {}, False),
        ("harboranalytics.com", "harboranalytics", {}, True),
        ("harbor.example", "harbor", {"url": "https://harbor.example/jobs/1"}, True),
        ("harbor.example", "harbor", {"url": "https://x.example/?at=harbor.example"}, False),
        ("harbor.example", "harbor", {"url": "https://harbor.example.evil.example/1"}, False),
        ("harbor.example", "harbor", {"url": "https://myharbor.example/1"}, False),
        ("harbor.example", "harbor", {"text": "Write to jobs@harbor.example."}, True),
        ("harbor.example", "harbor", {"text": "See www.Harbor.example/team for more"}, True),
        ("harbor.example", "harbor", {"text": "Not myharbor.example, harbor.example.org"}, False),
    ],
)
@pytest.mark.parametrize("first", ["victim", "site"])
async def test_a_site_is_tied_to_a_company_of_its_name_by_what_the_board_says_not_by_its_own_link(
    worker_database: Database,
    site: str,
    token: str,
    posting: dict[str, str],
    becomes_one: bool,
    first: str,
) -> None:
    async with worker_database.connection() as connection, connection.transaction():
        sites = {"victim": None, "site": site}
        made = {
            each: await catalogue.make_company(
                connection, name="Harbor Analytics", domain=sites[each]
            )
            for each in sorted(sites, key=lambda each: each != first)
        }
        await hire(connection, token, list(made.values()), **posting)
        for asked in ("site", "victim"):
            union = await unite(connection, made[asked], domains=[site] if asked == "site" else ())
            assert union.is_contested is not becomes_one
            if becomes_one:
                assert union.company_id == made[first], "the older one stays"
                return
            assert union.company_id == made[asked]
            [note] = union.notes
            assert f"nothing on the board links to {site}" in note


async def found(connection: Connection, company_id: UUID) -> catalogue.Identity:
    company = await catalogue.find_company(connection, company_id)
    assert company is not None
    return company


async def two_companies(client: httpx.AsyncClient, drain: Drain) -> tuple[UUID, UUID]:
    one = await enrich(client, drain, domain="harbor.example")
    two = await enrich(client, drain, company_name="Northwind Shipping")
    return UUID(one["company_id"]), UUID(two["company_id"])


async def test_a_merged_company_answers_under_both_ids_until_it_is_undone(
    client: httpx.AsyncClient, drain: Drain, worker_database: Database
) -> None:
    kept, gone = await two_companies(client, drain)
    before = (await client.get(f"{V1}/companies/{gone}")).json()
    made = await merge(worker_database, kept=kept, merged=gone)
    await drain()
    answered = (await client.get(f"{V1}/companies/{gone}")).json()
    assert (answered["company_id"], answered["merged_into"]) == (str(kept), str(kept))
    names = (await client.get(f"{V1}/companies/{gone}/facts?field=lei")).json()["items"]
    assert {n["value"] for n in names} == {"LEI1", "LEI2"}
    await undo(worker_database, made.merge_id)
    await drain()
    assert (await client.get(f"{V1}/companies/{gone}")).json() == before


async def test_what_was_found_about_a_merged_company_moves_and_comes_back(
    client: httpx.AsyncClient, drain: Drain, worker_database: Database
) -> None:
    kept, gone = await two_companies(client, drain)
    database = worker_database
    alone = await add_signal(database, gone, story="alone")
    shared = await add_signal(database, gone, story="shared")
    await add_signal(database, kept, story="shared")
    async with database.connection() as connection:
        await connection.execute(
            "INSERT INTO company_changes (company_id, record_version, changes) VALUES ($1, 7, '[]')",
            gone,
        )
        await connection.execute(
            "UPDATE companies SET record_version = 7 WHERE company_id = $1", gone
        )
        await connection.execute(
            "INSERT INTO passage_indexes (company_id, encoded, passages) VALUES ($1, true, 0)",
            gone,
        )
        await connection.execute(
            "INSERT INTO profile_sections (company_id, section, state, method, body, plain,"
            " statements, kinds, evidence, generated_at, checked_at)"
            " VALUES ($1, 'swot', 'ready', 'extractive', '{}', '{}', 0, '{}', '', now(), now())",
            gone,
        )
    made = await merge(database, kept=kept, merged=gone)
    assert alone in await ids_of(database, "signals", kept)
    assert await ids_of(database, "signal_mentions", kept) >= {alone}
    assert await ids_of(database, "signals", gone) == {shared}
    async with database.connection() as connection:
        for table in ("passage_indexes", "profile_sections", "company_changes"):
            left = await connection.fetchval(
                f"SELECT count(*) FROM {table} WHERE company_id = $1", gone
            )
            assert left == 0, table
        version = await connection.fetchval(
            "SELECT record_version FROM companies WHERE company_id = $1", kept
        )
        assert version == 7, "the next change takes no number of one that moved"
        waiting = await connection.fetch("SELECT kind FROM work WHERE subject = $1", str(kept))
    assert {"read_signals", "index_passages", "refresh_profile"} <= {r["kind"] for r in waiting}

    await undo(database, made.merge_id)
    assert await ids_of(database, "signals", gone) == {alone, shared}
    assert await ids_of(database, "signal_mentions", gone) == {alone, shared}
    assert alone not in await ids_of(database, "signals", kept)
    async with database.connection() as connection:
        back = await connection.fetchval(
            "SELECT record_version FROM company_changes WHERE company_id = $1 AND record_version = 7",
            gone,
        )
        assert back == 7
        read = await connection.fetchval(
            "SELECT count(*) FROM signal_readings WHERE company_id = ANY($1::uuid[])", [kept, gone]
        )
    assert read == 0, "both are read again"


async def add_signal(database: Database, company_id: UUID, *, story: str) -> UUID:
    """A signal with one mention, from a document about the company."""
    signal_id = uuid4()
    async with database.connection() as connection:
        document_id = await connection.fetchval(
            "SELECT document_id FROM company_documents WHERE company_id = $1 LIMIT 1", company_id
        )
        await connection.execute(
            "INSERT INTO signals (company_id, signal_id, family, type, title, summary, quote,"
            " document_id, source_kind, source, detected_at, confidence, story_key)"
            " VALUES ($1, $2, 'growth', 'expansion', '', '', '', $3, 'web', '{}', now(), 0.9, $4)",
            company_id,
            signal_id,
            document_id,
            story,
        )
        await connection.execute(
            "INSERT INTO signal_mentions (company_id, signal_id, document_id, start_at, end_at,"
            " source, quote) VALUES ($1, $2, $3, 0, 1, '{}', '')",
            company_id,
            signal_id,
            document_id,
        )
        await connection.execute(
            "INSERT INTO signal_readings (company_id, document_id, version, parser)"
            " VALUES ($1, $2, '1', 1) ON CONFLICT DO NOTHING",
            company_id,
            document_id,
        )
    return signal_id


async def ids_of(database: Database, table: str, company_id: UUID) -> set[UUID]:
    async with database.connection() as connection:
        rows = await connection.fetch(
            f"SELECT signal_id FROM {table} WHERE company_id = $1", company_id
        )
    return {row["signal_id"] for row in rows}
