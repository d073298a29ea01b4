"""Refusals, ticker lists and submissions: who a registrant is and where its filings are."""

import json
from datetime import date
from typing import Any

import pytest

from sightline.domain.evidence import Observation
from sightline.sources.sec_edgar.error_pages import is_sec_refusal
from sightline.sources.sec_edgar.names import edgar_place, insider_name, registrant_name
from sightline.sources.sec_edgar.register import NotATickerList, read_tickers
from sightline.sources.sec_edgar.submissions import FilingRow, NotSubmissions, read_submissions


def found(observations: tuple[Observation, ...], field: str) -> list[Any]:
    return [one.value for one in observations if one.field == field]


def submissions(**changes: object) -> bytes:
    data: dict[str, Any] = {
        "cik": "90001",
        "entityType": "operating",
        "sic": "7372",
        "sicDescription": "Services-Prepackaged Software",
        "insiderTransactionForOwnerExists": 0,
        "insiderTransactionForIssuerExists": 1,
        "name": "ORCHARD & QUAY Corp /DE/",
        "tickers": ["ORQ", "ORQ-PA"],
        "exchanges": ["Nasdaq", "Nasdaq"],
        "ein": "990000001",
        "website": "https://www.orchardquay.example/about",
        "fiscalYearEnd": "0926",
        "stateOfIncorporation": "DE",
        "addresses": {
            "business": {
                "street1": "12 HARBOUR WAY",
                "street2": "None",
                "city": "SPRINGFIELD",
                "stateOrCountry": "IL",
                "zipCode": "62701",
            }
        },
        "phone": "(217) 555-0142",
        "formerNames": [{"name": "ORCHARD COM INC"}, {"name": "ORCHARD & QUAY CORP"}],
        "filings": {
            "recent": {
                "accessionNumber": ["0000090001-24-000007", "broken", "0000090001-24-000003"],
                "filingDate": ["2024-05-02", "2024-01-01", "2024-02-30"],
                "reportDate": ["2024-03-31", "", ""],
                "form": ["8-K", "10-Q", "4"],
                "primaryDocument": ["orq-8k.htm", "x.htm", "xslF345X05/form4.xml"],
                "items": ["2.02,9.01", "", ""],
            },
        },
    }
    return json.dumps(data | changes).encode()


def test_a_registrant_is_described_by_its_submissions() -> None:
    read = read_submissions(submissions())
    values = {one.field: one.value for one in reversed(read.observations)}
    assert values["cik"] == "0000090001"
    assert values["company_name"] == "Orchard & Quay Corp"
    assert found(read.observations, "alternative_name") == ["Orchard.com Inc"]
    assert values["industry"] == "Software"
    assert values["hq_address"] == "12 Harbour Way"
    assert (values["hq_city"], values["hq_state"], values["country_code"]) == (
        "Springfield",
        "IL",
        "US",
    )
    assert values["website_domain"] == "orchardquay.example"
    assert values["fiscal_year_end"] == "09-26"
    assert values["stock_ticker"] == "ORQ"
    assert len(found(read.observations, "listing")) == 2
    assert all(one.pointer for one in read.observations)


def test_filings_have_addresses_and_broken_rows_are_left_out() -> None:
    read = read_submissions(submissions())
    report, form4 = read.filings
    base = "https://www.sec.gov/Archives/edgar/data/90001/000009000124000007/"
    assert report.document_url == base + "orq-8k.htm"
    flat = "https://www.sec.gov/Archives/edgar/data/90001/"
    assert report.index_url == flat + "0000090001-24-000007-index.html"
    assert report.full_text_url == base + "0000090001-24-000007.txt"
    assert (report.items, report.report_date) == (("2.02", "9.01"), date(2024, 3, 31))
    # The style sheet's folder is no part of the form as filed; 30 February is no day.
    assert form4.document_url.endswith("/000009000124000003/form4.xml")
    assert form4.filed is None


def test_a_person_gives_no_company() -> None:
    read = read_submissions(
        submissions(
            name="QUILL ADA M",
            tickers=[],
            exchanges=[],
            ein=None,
            insiderTransactionForOwnerExists=1,
            insiderTransactionForIssuerExists=0,
        )
    )
    assert read.is_person
    assert read.name == "Ada M. Quill"
    assert read.observations == ()


def test_a_foreign_address_is_read_in_both_shapes() -> None:
    old = {"street1": "HAFENSTR. 1", "city": "HAMBURG", "stateOrCountry": "2M"}
    new = {
        "street1": "HAFENSTR. 1",
        "city": "HAMBURG",
        "stateOrCountry": None,
        "countryCode": "2M",
        "country": "Germany",
        "foreignStateTerritory": "GERMANY",
    }
    for address in (old, new):
        read = read_submissions(submissions(addresses={"business": address}, phone="494055501"))
        assert found(read.observations, "country_code") == ["DE"]
        assert found(read.observations, "hq_state") == []


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"{}", b'{"cik": "x", "filings": {}}'])
def test_what_is_no_submissions_answer_is_refused(body: bytes) -> None:
    with pytest.raises(NotSubmissions):
        read_submissions(body)


def test_a_filing_without_a_primary_document_is_its_full_text() -> None:
    row = FilingRow("0000090001", "0000090001-99-000001", "10-K405", None)
    assert row.document_url.endswith("/000009000199000001/0000090001-99-000001.txt")


def test_both_ticker_lists_are_read() -> None:
    plain = {
        "0": {"cik_str": 90001, "ticker": "ORQ", "title": "ORCHARD & QUAY CORP"},
        "1": {"ticker": "X"},
    }
    rows = read_tickers(json.dumps(plain).encode())
    assert [(row.cik, row.ticker, row.name) for row in rows] == [
        ("0000090001", "ORQ", "Orchard & Quay Corp")
    ]
    table = {
        "fields": ["cik", "name", "ticker", "exchange"],
        "data": [[90001, "Orchard & Quay Corp", "orq", "NYSE"]],
    }
    assert read_tickers(json.dumps(table).encode())[0].ticker == "ORQ"
    for body in (b"no", b"[]", b'{"a": 1}'):
        with pytest.raises(NotATickerList):
            read_tickers(body)


@pytest.mark.parametrize(
    ("name", "tidy"),
    [
        ("PLUM HOLDINGS INC /NEW/", "Plum Holdings Inc"),
        ("PLUM CORP/CA", "Plum Corp"),
        ("PLUM COM INC", "Plum.com Inc"),
        ("McQUILL'S CORPORATION", "McQuill's Corporation"),
        ("PLUMTECH Corp", "Plumtech Corp"),
    ],
)
def test_edgar_names_are_put_into_ordinary_spelling(name: str, tidy: str) -> None:
    assert registrant_name(name).casefold() == tidy.casefold()
    assert not registrant_name(name).isupper()


def test_insiders_are_named_first_name_first() -> None:
    assert insider_name("QUILL ADA M") == "Ada M. Quill"
    assert insider_name("VAN DER BERG JAN") == "Jan Van Der Berg"
    assert insider_name("O'Hara-Lee Kim Jr.") == "Kim O'Hara-Lee Jr."
    assert insider_name("PLUM CAPITAL PARTNERS LP") == "Plum Capital Partners LP"


def test_edgar_place_codes() -> None:
    assert edgar_place("CA") == ("US", "CA")
    assert edgar_place("A6") == ("CA", "ON")
    assert edgar_place("X0") == ("GB", None)
    assert edgar_place("", "") == (None, None)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            b"<!DOCTYPE html><title>SEC.gov | Your Request Originates from an Undeclared Automated\n"
            b" Tool</title>",
            "undeclared_tool",
        ),
        (b"\n<html><title>SEC.gov | Request Rate Threshold Exceeded</title>", "rate_exceeded"),
        (b'<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code></Error>', "access_denied"),
        (b"<Error><Code>NoSuchKey</Code></Error>", "not_found"),
    ],
)
def test_refusals_are_told_from_documents(body: bytes, reason: str) -> None:
    assert is_sec_refusal(body) == reason


def test_a_filing_that_speaks_of_such_a_page_is_a_document() -> None:
    assert (
        is_sec_refusal(b"<html><body><ix:header/>undeclared automated tool</body></html>") is None
    )
    assert is_sec_refusal(b"<SEC-DOCUMENT>undeclared automated tool") is None
    assert is_sec_refusal(b'{"note": "undeclared automated tool"}') is None
    assert is_sec_refusal(b"") is None
