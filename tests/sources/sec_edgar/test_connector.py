"""EDGAR end to end: found by name and number, read once, added to when something new is filed."""

import json
from datetime import date
from typing import Any

import pytest

from sightline.sources.contract import Query, SourceIsAway
from sightline.sources.sec_edgar.connector import SEC_EDGAR
from sightline.sources.sec_edgar.plan import as_links, from_links, plan
from sightline.sources.sec_edgar.stated_website import (
    namespace_observations,
    release_website_observations,
    website_observations,
)
from sightline.sources.sec_edgar.submissions import FilingRow
from sightline.sources.sec_edgar.written_name import written_name_observations
from tests.sources.desk import Desk

CIK = "0000090001"
LIST = "https://www.sec.gov/files/company_tickers_exchange.json"
SUBMISSIONS = f"https://data.sec.gov/submissions/CIK{CIK}.json"
ARCHIVES = "https://www.sec.gov/Archives/edgar/data/90001"
ROWS = [
    [90001, "ORCHARD QUAY CORP", "ORQ", "Nasdaq"],
    [90002, "Pinewharf Gold Trust", "PGT", "NYSE"],
    [90003, "Plum Harbour Inc.", "PLMH", "NYSE"],
]
FILED = {
    "10-K": ("0000090001-26-000002", "2026-02-20", "2025-12-31", "orq-10k.htm", ""),
    "8-K": ("0000090001-26-000003", "2026-03-02", "2026-02-27", "orq-8k.htm", "5.02,9.01"),
    "4": ("0000090001-26-000004", "2026-03-05", "2026-03-03", "xslF345X05/form4.xml", ""),
    "10-Q": ("0000090001-25-000009", "2025-10-30", "2025-09-30", "orq-10q.htm", ""),
}
ANNUAL = """<html><body><p>FORM 10-K</p><p>Annual report pursuant to section 13 or 15(d)</p>
<p>Item 1. Business</p>
<p>Orchard Quay builds harbour cranes. Our website address is www.orchardquay.example.</p>
<p>Orchard Quay sells them in twelve countries. Customers of Orchard Quay are ports.</p>
<p>As of December 31, 2025, we had 1,240 full-time employees.</p>
<p>Item 1A. Risk Factors</p><p>Ports may buy fewer cranes.</p></body></html>"""
CURRENT = """<html><body><p>FORM 8-K</p><p>Current report</p>
<p>Item 5.02 Departure of Directors or Certain Officers; Election of Directors</p>
<p>On February 27, 2026, the board appointed Ada Quill as chief financial officer.</p>
<p>SIGNATURES</p></body></html>"""
FORM4 = f"""<?xml version="1.0"?><ownershipDocument><documentType>4</documentType>
<periodOfReport>2026-03-03</periodOfReport><issuer><issuerCik>{CIK}</issuerCik>
<issuerName>ORCHARD QUAY CORP</issuerName><issuerTradingSymbol>ORQ</issuerTradingSymbol></issuer>
<reportingOwner><reportingOwnerId><rptOwnerCik>0000090099</rptOwnerCik>
<rptOwnerName>Quill Ada</rptOwnerName></reportingOwnerId><reportingOwnerRelationship>
<isOfficer>1</isOfficer><officerTitle>Chief Financial Officer</officerTitle>
</reportingOwnerRelationship></reportingOwner><nonDerivativeTable><nonDerivativeTransaction>
<securityTitle><value>Common Stock</value></securityTitle>
<transactionDate><value>2026-03-03</value></transactionDate>
<transactionCoding><transactionCode>P</transactionCode></transactionCoding><transactionAmounts>
<transactionShares><value>500</value></transactionShares>
<transactionPricePerShare><value>20</value></transactionPricePerShare>
<transactionAcquiredDisposedCode><value>A</value></transactionAcquiredDisposedCode>
</transactionAmounts></nonDerivativeTransaction></nonDerivativeTable></ownershipDocument>"""
FOLDER = "/Archives/edgar/data/90001/000009000126000003"
INDEX = "<html><table class=tableFile><tr><th>Seq</th></tr>" + "".join(
    f"<tr><td>1</td><td>x</td><td><a href='{url}'>x</a></td><td>{kind}</td><td>9</td></tr>"
    for url, kind in (
        (f"/ix?doc={FOLDER}/orq-8k.htm", "8-K"),
        (f"{FOLDER}/ex991.htm", "EX-99.1"),
        (f"{FOLDER}/logo.jpg", "GRAPHIC"),
    )
)
RELEASE = """<html><body><p>Orchard Quay Names Ada Quill Chief Financial Officer</p>
<p>SPRINGFIELD, Ill., March 2, 2026 - Orchard Quay Corp, a builder of cranes for harbours of every
size, today announced that Ada Quill becomes its chief financial officer.</p></body></html>"""


def submissions(*forms: str) -> str:
    columns = ("accessionNumber", "filingDate", "reportDate", "primaryDocument", "items")
    recent: dict[str, list[Any]] = {"form": list(forms)}
    for index, column in enumerate(columns):
        recent[column] = [FILED[form][index] for form in forms]
    return json.dumps(
        {
            "cik": "90001",
            "name": "ORCHARD QUAY CORP",
            "entityType": "operating",
            "sic": "3530",
            "ein": "990000001",
            "tickers": ["ORQ"],
            "exchanges": ["Nasdaq"],
            "addresses": {"business": {"city": "SPRINGFIELD", "stateOrCountry": "IL"}},
            "filings": {"recent": recent, "files": []},
        }
    )


@pytest.fixture
def edgar(desk: Desk) -> Desk:
    """A registrant with an annual and a current report; its quarterly report is not held."""
    fields = ["cik", "name", "ticker", "exchange"]
    desk.web.answer(LIST, json.dumps({"fields": fields, "data": ROWS}))
    desk.web.answer(SUBMISSIONS, submissions("8-K", "10-K", "10-Q"))
    html = "text/html"
    desk.web.answer(f"{ARCHIVES}/000009000126000002/orq-10k.htm", ANNUAL, media_type=html)
    desk.web.answer(f"{ARCHIVES}/000009000126000003/orq-8k.htm", CURRENT, media_type=html)
    desk.web.answer(f"{ARCHIVES}/0000090001-26-000003-index.html", INDEX, media_type=html)
    desk.web.answer(f"{ARCHIVES}/000009000126000003/ex991.htm", RELEASE, media_type=html)
    desk.web.answer(f"{ARCHIVES}/000009000126000004/form4.xml", FORM4, media_type="text/xml")
    return desk


async def test_a_registrant_is_found_by_name_ticker_and_number(edgar: Desk) -> None:
    for query in (
        Query(name="Orchard Quay"),
        Query(ticker="ORQ"),
        Query(name="another name", identifiers={"cik": "90001"}),
    ):
        found = await edgar.find(SEC_EDGAR, query)
        assert found[0].identifiers == {"cik": CIK}, query
        assert (found[0].name, found[0].ticker) == ("Orchard Quay Corp", "ORQ")
    assert await edgar.find(SEC_EDGAR, Query(domain="orchardquay.example")) == []


async def test_a_trust_that_holds_gold_is_not_found_by_name(edgar: Desk) -> None:
    names = {c.name for c in await edgar.find(SEC_EDGAR, Query(name="Pinewharf Gold Trust"))}
    assert "Pinewharf Gold Trust" not in names


async def test_a_registrant_without_a_ticker_is_found_by_its_number_twice(edgar: Desk) -> None:
    data = json.loads(submissions("10-K")) | {
        "cik": "90077",
        "name": "QUIET MILL LP",
        "tickers": [],
    }
    edgar.web.answer("https://data.sec.gov/submissions/CIK0000090077.json", json.dumps(data))
    for _ in range(2):  # the second answer is an unchanged one
        found = await edgar.find(SEC_EDGAR, Query(identifiers={"cik": "90077"}))
        assert [(c.name, c.identifiers["cik"]) for c in found] == [("Quiet Mill LP", "0000090077")]


async def test_filings_become_facts_and_passages_and_are_read_once(edgar: Desk) -> None:
    company_id = await edgar.company("Orchard Quay Corp", cik=CIK)
    first = await edgar.collect(SEC_EDGAR, company_id)
    values = await edgar.values(company_id)
    assert values["employees"] == [1_240]
    assert values["website_domain"] == ["orchardquay.example"]
    assert "Orchard Quay" in values["company_name"]
    assert values["hq_city"] == ["Springfield"]
    assert any("could not be had" in note for note in first.notes)
    async with edgar.database.connection() as connection:
        rows = await connection.fetch(
            "SELECT d.kind, d.published_at::date AS day, p.section,"
            " substr(d.body_text, p.start_at + 1, p.end_at - p.start_at) AS said"
            " FROM passages p JOIN documents d USING (document_id) WHERE company_id = $1",
            company_id,
        )
    said = {row["section"]: row for row in rows}
    assert "harbour cranes" in said["1"]["said"]
    assert "fewer cranes" in said["1A"]["said"]
    assert "Ada Quill" in said["5.02"]["said"]
    assert said["5.02"]["day"] == date(2026, 3, 2)
    assert said["EX-99.1"]["kind"] == "news"
    second = await edgar.collect(SEC_EDGAR, company_id)
    assert second.counts["fetched"] == 0
    assert second.counts["unchanged"] == 1  # the list of filings, asked for conditionally


async def test_a_new_filing_is_the_only_one_that_is_fetched(edgar: Desk) -> None:
    company_id = await edgar.company("Orchard Quay Corp", cik=CIK)
    await edgar.collect(SEC_EDGAR, company_id)
    edgar.web.answer(SUBMISSIONS, submissions("4", "8-K", "10-K", "10-Q"))
    second = await edgar.collect(SEC_EDGAR, company_id)
    assert second.counts["fetched"] == 2  # the list and the form
    people = (await edgar.values(company_id))["person"]
    assert [(p["name"], p["title"]) for p in people] == [("Ada Quill", "Chief Financial Officer")]


async def test_a_person_is_no_company(edgar: Desk) -> None:
    data = {"cik": "90099", "name": "QUILL ADA", "insiderTransactionForOwnerExists": 1}
    data["filings"] = {"recent": {}, "files": []}  # type: ignore[assignment]
    edgar.web.answer("https://data.sec.gov/submissions/CIK0000090099.json", json.dumps(data))
    assert await edgar.find(SEC_EDGAR, Query(identifiers={"cik": "90099"})) == []


@pytest.mark.parametrize("status", [200, 403])
async def test_a_refusal_says_what_to_do(edgar: Desk, status: int) -> None:
    page = "<html><title>SEC.gov | Request</title><p>Undeclared Automated Tool</p></html>"
    edgar.web.answer(SUBMISSIONS, page, status=status, media_type="text/html")
    company_id = await edgar.company("Orchard Quay Corp", cik=CIK)
    with pytest.raises(SourceIsAway, match="SIGHTLINE_CONTACT"):
        await edgar.collect(SEC_EDGAR, company_id)
    assert await edgar.values(company_id) == {}


async def test_nothing_on_edgar_is_said_and_not_an_error(desk: Desk) -> None:
    company_id = await desk.company("Unheard Ltd", cik=CIK)
    context = await desk.collect(SEC_EDGAR, company_id)
    assert context.notes == [f"EDGAR has no registrant {CIK}."]
    assert await desk.find(SEC_EDGAR, Query(name="Unheard Ltd")) == []


def row(form: str, filed: date, number: int) -> FilingRow:
    return FilingRow(CIK, f"0000090001-26-{number:06}", form, filed, None, f"d{number}.htm")


def test_the_plan_keeps_two_years_of_current_reports_and_survives_being_stored() -> None:
    rows = [row("8-K", date(2026, 1, 1 + n % 28), n) for n in range(40)]
    rows += [row("8-K", date(2023, 1, 1), 90), row("S-8", date(2026, 1, 5), 91)]
    rows += [row("10-K", date(2020 + n, 2, 1), 100 + n) for n in range(6)]
    rows += [row("10-K/A", date(2024, 5, 1), 120), row("10-K/A", date(2025, 5, 1), 121)]
    planned = plan(rows)
    forms = [each.form for each in planned]
    assert (forms.count("8-K"), forms.count("10-K"), forms.count("10-K/A")) == (40, 6, 1)
    assert all(each.filed and each.filed.year > 2023 for each in planned if each.form == "8-K")
    assert next(p.accession for p in planned if p.form == "10-K/A").endswith("000121")
    assert from_links(as_links(planned)) == planned


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        (
            "Our website address is www.plum.example. The SEC's website is www.sec.gov.",
            "plum.example",
        ),
        ("Reports are on our website at https://www.plum.example/reports.", "plum.example"),
        ("Mail ir@plum.example. A study is at www.study.example.", None),
        ("The SEC maintains an internet site at www.sec.gov.", None),
        ("We reach people through our websites such as www.pearchat.example.", None),
        ("We use our investor relations website, www.pluminvestor.example, for news.", None),
    ],
)
def test_the_stated_website_is_the_companys_own(text: str, domain: str | None) -> None:
    found = website_observations(text, name="Plum Inc.")
    assert [each.value for each in found] == ([domain] if domain else [])
    assert all(each.quote and each.quote in text for each in found)


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        (
            "About Plum\nPlum makes jam. For more information, visit www.plum.example.",
            "plum.example",
        ),
        ("Learn more at https://jam.plumharbour.example/news today.", "plumharbour.example"),
        ("More information: ir@plum.example", None),
        ("For more information about our agency visit www.spindoctors.example.", None),
        ("Plum bought www.plum.example from its founder.", None),
        ("The webcast is available at www.plum-investors.example.", None),
        ("", None),
    ],
)
def test_a_press_release_leads_to_the_companys_site(text: str, domain: str | None) -> None:
    found = release_website_observations(text, name="Plum Harbour Inc.")
    assert [each.value for each in found] == ([domain] if domain else [])
    assert all(each.quote and each.quote in text for each in found)


@pytest.mark.parametrize(
    ("uri", "domain"),
    [
        ("http://www.plum.example/20251231", "plum.example"),
        ("https://phi.example/20251231", "phi.example"),
        ("http://www.agent.example/20251231", None),
        ("http://plm/20251231", None),
        ("http://xbrl.sec.gov/dei/2025", None),
        ("http://fasb.org/us-gaap/2025", None),
    ],
)
def test_a_filings_own_elements_stand_under_a_domain_of_the_filer(
    uri: str, domain: str | None
) -> None:
    content = f'<html xmlns:ix="http://www.xbrl.org/2013/inlineXBRL" xmlns:plm="{uri}">'.encode()
    found = namespace_observations(content, name="Plum Harbour Industries, Inc.")
    assert [each.value for each in found] == ([domain] if domain else [])
    assert all(each.pointer == f"xmlns:plm {uri}" for each in found)


def test_a_name_is_spelled_as_its_owner_spells_it() -> None:
    text = (
        "PLUMHARBOUR'S REPORT. " + "PlumHarbour sells plums. " * 4 + "See www.plumharbour.example."
    )
    found = written_name_observations(text, "PLUMHARBOUR INC")
    assert [each.value for each in found] == ["PlumHarbour"]
    assert (
        written_name_observations("A target is set. The target is met. A target.", "TARGET CORP")
        == ()
    )
