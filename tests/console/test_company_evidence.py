"""A company's documents at a quote, its figures, its activity, and values that a person sets."""

import json
from datetime import UTC, date, datetime
from uuid import uuid4

import httpx
import pytest

from sightline.console.finance import parts, statement
from sightline.console.quotes import AROUND, find_quote, marked
from sightline.console.render import titled
from sightline.store.companies import own_values
from sightline.store.database import Database, open_database
from sightline.store.facts import Fact
from tests.console.conftest import MakeWorkspace, Workspace
from tests.console.pages import form_token
from tests.store.evidence_data import add_document

TEXT = "The port is busy.\n\nHarbor Analytics opened an\noffice in Leeds. It hires."


def test_a_quote_is_found_whatever_the_white_space() -> None:
    span = find_quote(TEXT, "Harbor Analytics opened an office  in Leeds.")
    assert span is not None
    assert TEXT[slice(*span)] == "Harbor Analytics opened an\noffice in Leeds."
    assert find_quote(TEXT, "an office in York") is None
    assert find_quote(TEXT, " … ") is None
    found = marked(TEXT, "opened an office", whole=False)
    assert (found.before + found.quote + found.after, found.cut) == (TEXT, False)
    assert found.quote == "opened an\noffice"


def test_a_long_document_is_shown_around_its_quote() -> None:
    text = "a line\n" * AROUND + "the quote" + "\nmore" * AROUND
    found = marked(text, "the quote", whole=False)
    assert found.quote == "the quote"
    assert found.cut
    assert len(found.before) <= AROUND + 10
    assert found.before.startswith("a line\n")
    assert not marked(text, "the quote", whole=True).cut


def fact(field: str, **value: object) -> Fact:
    moment = datetime(2026, 3, 4, tzinfo=UTC)
    return Fact(
        uuid4(), field, "", value, "sec_edgar", uuid4(), "https://harbor.example/10-k", None, None,
        "tag", 1.0, date(2026, 3, 4), moment, moment, wins=False,
    )  # fmt: skip


def period(metric: str, label: str, amount: float) -> Fact:
    end = f"{label[2:]}-12-31" if label.startswith("FY") else "2026-03-31"
    return fact(
        "fiscal_period", metric=metric, label=label, amount=amount, currency="USD", period_end=end
    )


def test_figures_stand_by_period_with_their_change() -> None:
    facts = [
        period("net_income", "FY2025", 5.0),
        period("revenue", "FY2025", 150.0),
        period("revenue", "FY2024", 120.0),
        period("net_income", "FY2024", -3.0),
        period("revenue", "Q1 FY2026", 40.0),
    ]
    years = statement(facts, yearly=True)
    assert years is not None
    assert years.periods == ["FY2024", "FY2025"]
    assert [(name, list(amounts)) for name, amounts, _ in years.rows] == [
        ("Revenue", [120.0, 150.0]),
        ("Net income", [-3.0, 5.0]),
    ]
    # From a loss to a profit no fraction says anything.
    assert [change for _, _, change in years.rows] == [0.25, None]
    quarters = statement(facts, yearly=False)
    assert quarters is not None
    assert quarters.periods == ["Q1 FY2026"]
    assert statement([], yearly=True) is None


def test_parts_of_revenue_come_largest_first() -> None:
    def part(name: str, year: int, amount: float, axis: str = "business") -> Fact:
        return fact(
            "segment", axis=axis, name=name, amount=amount, metric="revenue", currency="USD",
            period_end=f"{year}-12-31",
        )  # fmt: skip

    facts = [part("Ships", 2025, 20.0), part("Ports", 2025, 60.0), part("Ports", 2024, 50.0)]
    found = parts([*facts, part("Peru", 2025, 80.0, "geography")], "business")
    assert found is not None
    assert [(name, list(amounts)) for name, amounts, _ in found.rows] == [
        ("Ports", [50.0, 60.0]),
        ("Ships", [None, 20.0]),
    ]
    assert found.rows[0][2] == pytest.approx(0.2)
    assert parts(facts, "geography") is None


async def test_a_document_opens_at_the_quote(
    member: httpx.AsyncClient, workspace: Workspace, database_url: str
) -> None:
    company_id = workspace.companies[1]
    workers = await open_database(database_url, role="sightline_worker", size=2)
    await add_document(workers, company_id, ["It closes <two> sites.", "It hires in Leeds."])
    await workers.close()
    company = f"/console/companies/{company_id}"
    listing = (await member.get(f"{company}/documents")).text
    document = listing.partition(f"{company}/documents/")[2].partition('"')[0]
    assert document, listing
    path = f"{company}/documents/{document}"
    assert "closes &lt;two&gt; sites" in (await member.get(path)).text
    page = (await member.get(path, params={"quote": "closes <two>  sites."})).text
    assert '<mark id="quote" tabindex="-1">closes &lt;two&gt; sites.</mark>' in page
    missing = (await member.get(path, params={"quote": '"><script>alert(1)</script>'})).text
    assert "does not appear word for word" in missing
    assert "<script>alert" not in missing
    # A document of another company is not shown as one of this company.
    other = f"/console/companies/{workspace.companies[2]}/documents/{document}"
    assert (await member.get(other)).status_code == 404


async def test_executives_stand_among_the_people(
    member: httpx.AsyncClient, workspace: Workspace, database_url: str
) -> None:
    company_id = workspace.companies[1]
    path = f"/console/companies/{company_id}/people"
    assert "Executives" not in (await member.get(path)).text
    rows = [{"name": "Ada Lind", "title": "Chief Financial Officer", "sources": []}]
    workers = await open_database(database_url, role="sightline_worker", size=2)
    async with workers.connection() as connection:
        await connection.execute(
            """
            INSERT INTO profile_sections (company_id, section, state, method, body, plain, statements,
              evidence, writing, kinds, generated_at, checked_at)
            VALUES ($1, 'key_executives', 'ready', 'extractive', $2, $2, 1, 'x', NULL, '{}', now(), now())
            """,
            company_id,
            json.dumps(rows),
        )
    await workers.close()
    page = (await member.get(path)).text
    assert "Ada Lind" in page
    assert "Chief Financial Officer" in page


def test_titles_of_filings_show_their_day_as_text() -> None:
    assert titled("10-K for 2025-12-31") == "10-K for 31 Dec 2025"
    assert titled("Harbor opens in Leeds") == "Harbor opens in Leeds"
    assert titled("2025") == "2025"


async def test_a_person_sets_a_value_and_takes_it_back(
    member: httpx.AsyncClient,
    workspace: Workspace,
    make_workspace: MakeWorkspace,
    database: Database,
) -> None:
    company_id, organization_id = workspace.companies[3], workspace.tenant.organization_id
    path = f"/console/companies/{company_id}/record"

    async def set_value(name: str, value: str, at: str = path) -> httpx.Response:
        csrf = form_token((await member.get(path)).text)
        return await member.post(at, data={"csrf": csrf, "field": name, "value": value})

    async def own() -> dict[str, object]:
        async with database.tenant(organization_id) as connection:
            return (await own_values(connection, company_id))[0]

    assert (await set_value("hq_city", "Leeds")).headers["location"] == f"{path}?notice=value_set"
    await set_value("tags", "port, data ,")
    await set_value("full_time_employees", "1,200")
    values = await own()
    assert (values["hq_city"], values["tags"]) == ("Leeds", ["port", "data"])
    assert values["full_time_employees"] == 1200
    await set_value("hq_city", "")
    assert (await own()).get("hq_city") is None
    refused = await set_value("industry", "Port sums")
    assert refused.status_code == 422
    assert "Unknown industry" in refused.text
    assert (await set_value("organization_id", "x")).status_code == 403
    theirs = (await make_workspace("second")).companies[0]
    answer = await set_value("hq_city", "York", f"/console/companies/{theirs}/record")
    assert answer.status_code == 404


async def test_pages_of_a_company_say_what_is_missing(
    member: httpx.AsyncClient, workspace: Workspace
) -> None:
    company = f"/console/companies/{workspace.companies[4]}"
    for tab, words in (
        ("activity", "Nothing yet"),
        ("financials", "No figures yet"),
        ("documents", "No documents yet"),
    ):
        assert words in (await member.get(f"{company}/{tab}")).text


async def test_the_timeline_says_that_no_model_is_set(
    member: httpx.AsyncClient, workspace: Workspace
) -> None:
    timeline = f"/console/companies/{workspace.companies[4]}/activity"
    assert "SIGHTLINE_MODEL" in (await member.get(timeline)).text
    assert "SIGHTLINE_MODEL" not in (await member.get(f"{timeline}?kind=filing")).text


PNG = b"\x89PNG\r\n\x1a\n" + b"\x00" * 40


async def test_a_logo_is_served_as_a_picture_and_nothing_else(
    member: httpx.AsyncClient, workspace: Workspace, database_url: str
) -> None:
    shown, hidden, bare = workspace.companies[1:4]
    workers = await open_database(database_url, role="sightline_worker", size=2)
    site = "https://harbor.example"
    await add_document(
        workers, shown, [], url=f"{site}/old.png", kind="logo", content=PNG + b"\x01"
    )
    await add_document(workers, shown, [], url=f"{site}/a.png", kind="logo", content=PNG)
    script = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    await add_document(workers, hidden, [], url=f"{site}/b.png", kind="logo", content=script)
    await workers.close()

    page = (await member.get(f"/console/companies/{shown}")).text
    address = page.partition('<img src="')[2].partition('"')[0]
    assert address.startswith(f"/console/companies/{shown}/logo?v=")
    assert address in (await member.get("/console/accounts")).text
    answer = await member.get(address)
    assert (answer.content, answer.headers["content-type"]) == (PNG, "image/png")
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert answer.headers["x-content-type-options"] == "nosniff"
    for company in (hidden, bare, uuid4()):
        assert (await member.get(f"/console/companies/{company}/logo")).status_code == 404
    assert "<img" not in (await member.get(f"/console/companies/{bare}")).text
    assert f'href="/console/companies/{shown}/documents"' in page
    assert "a.png" not in (await member.get(f"/console/companies/{shown}/documents")).text


async def test_a_logo_of_a_company_of_another_organization_is_not_shown(
    member: httpx.AsyncClient,
    make_workspace: MakeWorkspace,
    database_url: str,
) -> None:
    other = (await make_workspace("otherside")).companies[1]
    workers = await open_database(database_url, role="sightline_worker", size=2)
    await add_document(workers, other, [], url="https://o.example/a.png", kind="logo", content=PNG)
    await workers.close()
    assert (await member.get(f"/console/companies/{other}")).status_code == 404
    assert (await member.get(f"/console/companies/{other}/logo")).status_code == 404
