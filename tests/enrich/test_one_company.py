"""However enrichments meet, a company is one row of the catalogue; what shares only a name is not."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from sightline.domain.callers import OrganizationId
from sightline.domain.names import name_key
from sightline.enrich import identify as identification
from sightline.enrich.unite import contradiction
from sightline.imports.run import import_accounts
from sightline.sources.contract import Candidate, Context, Query
from sightline.store import catalogue
from sightline.store.catalogue import Identity
from sightline.store.credits import grant
from sightline.store.database import Database
from sightline.store.operations import Asker, add_operations
from tests.conftest import MakeTenant
from tests.enrich.conftest import (
    REGISTER,
    SOURCES,
    Drain,
    RecordedWeb,
    find_in_register,
    make_runner,
    parse_site,
)
from tests.enrich.test_doubles import enrich

V1 = "/public-api/v1"
NAMES = ("Amber Quay", "Birch Foundry", "Cobalt Mill", "Dune Optics", "Ember Lines", "Fjord Cables",
         "Garnet Looms", "Heron Freight")  # fmt: skip


async def find_by_name(context: Context, query: Query) -> Sequence[Candidate]:
    """As registers answer: nothing without a name or a number."""
    rows = await find_in_register(context, query)
    wanted, number = name_key(query.name or ""), query.identifiers.get("lei")
    return [
        each
        for each in rows
        if (wanted and name_key(each.name) == wanted) or each.identifiers.get("lei") == number
    ]


async def find_at_site(context: Context, query: Query) -> Sequence[Candidate]:
    """The site again, also when another operation has just read it."""
    url = f"https://{query.domain}/"
    found = query.domain and await context.document(
        url, parse=parse_site, version=1, about=False, always_read=True
    )
    if not found or found.parsed is None:
        return []
    [name] = [o.value for o in found.parsed.observations if o.field == "company_name"]
    return [Candidate(source="site", key=url, name=name, domain=query.domain)]


REGISTERED = (
    replace(SOURCES[0], find=find_by_name),
    replace(SOURCES[1], find=find_at_site),
)


@pytest.fixture
def drain(worker_database: Database, web: RecordedWeb) -> Drain:
    """Work until the queue is empty."""

    async def run() -> int:
        return await make_runner(worker_database, web, sources=REGISTERED).run_all()

    return run


@pytest.fixture(autouse=True)
async def credits(database: Database, organization: OrganizationId) -> None:
    async with database.tenant(organization) as connection:
        await grant(connection, credit="company", amount=200, reason="test")


def a_register_that_knows_no_sites(web: RecordedWeb) -> None:
    """Companies whose web site says their short name, and whose register their legal one."""
    rows = []
    for n, name in enumerate(NAMES):
        site = f"{name.split()[0].lower()}.example"
        rows.append({"id": f"R{n}", "name": f"{name} Inc.", "country": "US"})
        web.answer(
            f"https://register.example/R{n}.txt",
            f'legal_name: "{name} Inc."\nlei: "R{n}"\ncountry_code: "US"',
            media_type="text/plain",
        )
        web.answer(
            f"https://{site}/",
            f'company_name: "{name}"\nwebsite_domain: "{site}"\ncountry_code: "US"',
            media_type="text/plain",
        )
    web.answer(REGISTER, json.dumps(rows))


async def assert_all_differ(database: Database, *, companies: int) -> None:
    """No two companies share an identifier, a domain, or a name in a country."""
    async with database.connection() as connection:
        rows = await connection.fetch(
            """
            SELECT c.company_id, c.name_key, c.country_code, c.website_domain,
              ARRAY(SELECT DISTINCT f.field || ' ' || (f.value #>> '{}') FROM facts f
                WHERE f.company_id = c.company_id AND f.field IN ('lei', 'website_domain')) AS said
            FROM companies c WHERE merged_into IS NULL ORDER BY c.company_name
            """
        )
        stray = await connection.fetchval(
            "SELECT count(*) FROM facts JOIN companies USING (company_id)"
            " WHERE merged_into IS NOT NULL"
        )
    keys: list[Any] = []
    for row in rows:
        keys += [(row["name_key"], row["country_code"]), *set(row["said"])]
    assert sorted(keys, key=str) == sorted(set(keys), key=str)
    assert len(rows) == companies
    assert stray == 0, "nothing was stored for a company that is another by now"


@pytest.mark.parametrize("asked", [("name", "domain"), ("domain", "name")], ids="-then-".join)
async def test_a_name_and_a_domain_lead_to_one_company(
    client: httpx.AsyncClient,
    drain: Drain,
    web: RecordedWeb,
    worker_database: Database,
    asked: tuple[str, str],
) -> None:
    a_register_that_knows_no_sites(web)
    inputs = {"name": {"company_name": "Amber Quay Inc."}, "domain": {"domain": "amber.example"}}
    done = [await enrich(client, drain, **inputs[each]) for each in asked]
    assert [each["status"] for each in done] == ["succeeded", "succeeded"]
    await assert_all_differ(worker_database, companies=1)
    for each in done:
        company = (await client.get(f"{V1}/companies/{each['company_id']}")).json()
        assert company["company_id"] == done[1]["company_id"]
        assert company["website_domain"] == "amber.example"
    accounts = (await client.post(f"{V1}/accounts", json={})).json()["items"]
    assert {each["company_id"] for each in accounts} == {done[1]["company_id"]}


async def test_a_company_that_is_made_while_the_sources_are_asked_is_not_made_again(
    client: httpx.AsyncClient,
    drain: Drain,
    worker_database: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[UUID] = []
    ask = identification._ask

    async def make_meanwhile(*given: Any) -> Any:
        found = await ask(*given)
        if not made:
            async with worker_database.connection() as connection, connection.transaction():
                name = "Northwind Shipping"
                made.append(await catalogue.make_company(connection, name=name, domain=None))
        return found

    monkeypatch.setattr(identification, "_ask", make_meanwhile)
    done = await enrich(client, drain, company_name="Northwind Shipping GmbH")
    assert (done["company_id"], done["match"]["status"]) == (str(made[0]), "matched")


async def test_what_runs_for_a_company_that_is_merged_goes_on_for_the_one_it_became(
    client: httpx.AsyncClient,
    drain: Drain,
    web: RecordedWeb,
    worker_database: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A run holds the id of a company, and someone merges it before the run stores what it found."""
    from sightline.enrich.merge import merge

    a_register_that_knows_no_sites(web)
    async with worker_database.connection() as connection, connection.transaction():
        older = await catalogue.make_company(connection, name="Amber Quay", domain=None)
    link, merged = identification.link, []

    async def merge_first(context: Any, source: Any, target: Any) -> Any:
        if not merged and target.company_id != older:
            merged.append(await merge(worker_database, kept=older, merged=target.company_id))
        return await link(context, source, target)

    monkeypatch.setattr(identification, "link", merge_first)
    done = await enrich(client, drain, domain="birch.example")
    assert (done["status"], done["company_id"]) == ("succeeded", str(older))
    assert merged
    await assert_all_differ(worker_database, companies=1)


async def test_lists_are_imported_while_their_companies_are_enriched(
    client: httpx.AsyncClient,
    database: Database,
    worker_database: Database,
    web: RecordedWeb,
    make_tenant: MakeTenant,
    organization: OrganizationId,
    tmp_path: Path,
) -> None:
    a_register_that_knows_no_sites(web)
    other, third = [(await make_tenant(each)).organization_id for each in ("second", "third")]
    by_name, by_site = tmp_path / "names.csv", tmp_path / "sites.csv"
    by_name.write_text("Company,Country\n" + "".join(f"{n} Inc.,US\n" for n in NAMES))
    by_site.write_text(
        "Company,Website\n" + "".join(f"{n},{n.split()[0].lower()}.example\n" for n in NAMES)
    )

    async def bring(organization_id: OrganizationId, path: Path | None, *, turned: bool) -> None:
        names = NAMES[::-1] if turned else NAMES
        inputs = [
            {"domain": f"{n.split()[0].lower()}.example"} if turned else {"company_name": n}
            for n in names
        ]
        async with database.tenant(organization_id) as connection:
            asker = Asker(None, None, None)
            amounts = [0] * len(inputs)
            await add_operations(connection, inputs, amounts=amounts, asker=asker)
        if path is None:
            return
        await import_accounts(database, organization_id, path)
        async with database.tenant(organization_id) as connection:
            rows = await connection.fetch("SELECT account_id FROM accounts ORDER BY account_id")
            ids = [{"id": str(row["account_id"])} for row in rows]
            amounts = [0] * len(ids)
            await add_operations(connection, ids, amounts=amounts, asker=asker)

    runner, second = (
        make_runner(worker_database, web, slots=4, sources=REGISTERED) for _ in range(2)
    )
    await asyncio.gather(
        bring(organization, by_name, turned=False),
        bring(other, by_site, turned=True),
        bring(third, None, turned=True),
        runner.run_all(),
        second.run_all(),
    )
    await runner.run_all()
    await assert_all_differ(worker_database, companies=len(NAMES))
    for each in (organization, other, third):
        async with database.tenant(each) as connection:
            rows = await connection.fetch(
                "SELECT status, error, count(*) AS n FROM operations GROUP BY 1, 2"
            )
            pointing = await connection.fetchval(
                "SELECT count(DISTINCT coalesce(c.merged_into, a.company_id))"
                " FROM accounts a JOIN companies c USING (company_id)"
            )
        assert {row["status"] for row in rows} == {"succeeded"}, [dict(row) for row in rows]
        assert pointing == len(NAMES)


async def test_companies_that_share_only_a_name_stay_apart(
    client: httpx.AsyncClient, drain: Drain, web: RecordedWeb, worker_database: Database
) -> None:
    for country in ("pt", "jp"):
        web.answer(
            f"https://{country}.example/",
            f'company_name: "Atlas Works"\nwebsite_domain: "{country}.example"\n'
            f'country_code: "{country.upper()}"',
            media_type="text/plain",
        )
    one, two = [await enrich(client, drain, domain=f"{each}.example") for each in ("pt", "jp")]
    assert one["status"] == two["status"] == "succeeded"
    assert one["company_id"] != two["company_id"]
    async with worker_database.connection() as connection:
        assert await connection.fetchval("SELECT count(*) FROM company_merges") == 0


def identity(name: str, domain: str | None = None, **identifiers: str) -> Identity:
    domains = (domain,) if domain else ()
    return Identity(uuid4(), name, domain, {"company_name": name}, domains, identifiers, None)


@pytest.mark.parametrize(
    ("one", "other", "against"),
    [
        (identity("Harbor", lei="A"), identity("Harbor Inc."), None),
        (identity("Harbor", lei="A"), identity("Harbor Inc.", lei="B"), "entries"),
        (identity("Harbor", "a.example"), identity("Harbor", "b.example"), "websites"),
        (identity("Harbor", "a.example"), identity("Harbor", "a.example"), None),
        (identity("Harbor", "a.example"), identity("Pier Data", "a.example"), "names"),
    ],
)
def test_what_speaks_against_one_company(
    one: Identity, other: Identity, against: str | None
) -> None:
    said = contradiction(one, other)
    assert contradiction(other, one) == said
    assert said is None if against is None else said is not None and against in said


def test_a_tie_besides_the_name_outweighs_another_name() -> None:
    one, other = identity("Harbor", "a.example"), identity("Pier Data", "a.example")
    assert name_key(one.name) != name_key(other.name)
    assert contradiction(one, other, proved=True) is None


async def test_a_domain_that_no_source_knows_names_whom_it_may_mean(
    client: httpx.AsyncClient, drain: Drain, web: RecordedWeb, worker_database: Database
) -> None:
    a_register_that_knows_no_sites(web)
    done = await enrich(client, drain, domain="cobalt-mill.example")
    assert (done["status"], done["match"]["status"]) == ("failed", "ambiguous")
    assert done["error"]["code"] == "company_ambiguous"
    [candidate] = done["match"]["candidates"]
    assert candidate["identifiers"] == {"lei": "R2"}
    assert (candidate["score"], candidate["features"]) == (0.5, {"name_like_domain": 0.5})
    for reported in ("cobalt-mill.example", "its name alone", "Cobalt Mill Inc.", '"lei"'):
        assert reported in done["error"]["message"]
    async with worker_database.connection() as connection:
        assert await connection.fetchval("SELECT count(*) FROM companies") == 0
    # As the message says, that company is taken once it is named.
    named = await enrich(
        client, drain, domain="cobalt-mill.example", external_id="R2", source_system="lei"
    )
    assert (named["status"], named["match"]["features"]["same_identifier"]) == ("succeeded", 1.0)


@pytest.mark.parametrize("domain", ["cobalt.example.com", "mill-cobalt.example", "unknown.example"])
async def test_a_domain_like_nobodys_name_is_not_found(
    client: httpx.AsyncClient, drain: Drain, web: RecordedWeb, domain: str
) -> None:
    a_register_that_knows_no_sites(web)
    done = await enrich(client, drain, domain=domain)
    assert done["error"]["code"] == "company_not_found"
    assert done["match"]["status"] == "not_found"
