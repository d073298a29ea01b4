"""Rows of lists to normalised companies."""

from typing import Any

import pytest

from sightline.imports.account_row import AccountRow
from sightline.imports.columns import guess_mapping
from sightline.imports.normalise import Normaliser
from sightline.imports.rows import Cell, Row, RowProblem


def normalised(
    header: list[str], *rows: list[Cell], overrides: dict[str, str] | None = None
) -> tuple[list[AccountRow | None], list[RowProblem]]:
    listed = [
        Row(n, {name: cell for name, cell in zip(header, row, strict=True) if cell})
        for n, row in enumerate(rows, start=2)
    ]
    mapping = guess_mapping(header, listed, overrides=overrides, file_stem="list")
    normalise = Normaliser(mapping, listed)
    results = [normalise(row) for row in listed]
    return [account for account, _ in results], [p for _, problems in results for p in problems]


def one(columns: dict[str, Cell], **overrides: str) -> AccountRow:
    given: dict[str, str] = {column: field for field, column in overrides.items()}
    accounts, _ = normalised(list(columns), list(columns.values()), overrides=given)
    assert accounts[0] is not None
    return accounts[0]


def values(columns: dict[str, Cell], **overrides: str) -> dict[str, Any]:
    return dict(one({"Company Name": "Oro Metals"} | columns, **overrides).values)


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"Website": "HTTPS://WWW.Oro.Example/About?x=1"},
         {"website_domain": "oro.example", "website": "https://www.oro.example/About"}),
        ({"LinkedIn": "linkedin.com/company/oro/?x=1"},
         {"profile_network_url": "https://www.linkedin.com/company/oro"}),
        ({"State": "MA", "City": "BELMONT"},
         {"hq_state": "MA", "hq_city": "Belmont", "country_code": "US", "region": "North America"}),
        ({"State": "Massachusetts", "Country": "USA"},
         {"hq_state": "MA", "hq_country_name": "United States"}),
        ({"State": "IN-HR", "Country": "IN"}, {"hq_state": "Haryana", "country_code": "IN"}),
        ({"HQ": "Saint Paul, Minnesota"}, {"hq_city": "Saint Paul", "hq_state": "MN", "country_code": "US"}),
        ({"HQ": "Dublin, Ireland"}, {"hq_city": "Dublin", "country_code": "IE", "region": "Europe"}),
        ({"City": "Turku, Finland"}, {"hq_city": "Turku", "country_code": "FI"}),
        ({"Country": "Deutschland"}, {"country_code": "DE", "hq_country_name": "Germany"}),
        ({"Land": "D"}, {"country_code": "DE", "hq_country_name": "Germany"}),
        ({"Umsatz (EUR)": "12.500.000"}, {"revenue_range": "10M-50M"}),
        ({"Revenue": "£1.2bn"}, {"revenue_range": "1B-10B"}),
        ({"Revenue": "¥500 million"}, {"revenue_range": "1M-10M"}),
        ({"Branche": "Maschinenbau"}, {"industry": "Industrial Machinery"}),
        ({"Branche": "Handel"}, {"industry": "Wholesale"}),
        ({"Secteur d'activité": "Assurances"}, {"industry": "Insurance"}),
        ({"Industry": "Construcción"}, {"industry": "Construction & Engineering"}),
        ({"Country": "US", "Zip": "2478"}, {"hq_postcode": "02478"}),
        ({"Employees": "1,234"}, {"full_time_employees": 1234, "employee_count_range": "1001-5000"}),
        ({"Employees": "51 to 200 employees"}, {"employee_count_range": "51-200"}),
        ({"Revenue ($ millions)": "12.5"}, {"revenue_usd": 12_500_000.0, "revenue_range": "10M-50M"}),
        ({"Revenue": "$1.2B"}, {"revenue_usd": 1_200_000_000.0, "revenue_range": "1B-10B"}),
        ({"Revenue": "$5 to $10 billion (USD) per year"}, {"revenue_range": "1B-10B"}),
        ({"Ticker": "NASDAQ: oro"},
         {"stock_ticker": "ORO", "stock_exchange_symbol": "NASDAQ", "public_company": True}),
        ({"Ticker": "BRK-B"}, {"stock_ticker": "BRK.B", "public_company": True}),
        ({"Ownership": "Private"}, {"public_company": False}),
        ({"Sector": "Information Technology"}, {"sector": "Technology"}),
        ({"SIC": "7372"}, {"industry": "Software"}),
        ({"Tags": "a; b, a"}, {"tags": ["a", "b"]}),
        ({"Tags": ["a", "b"]}, {"tags": ["a", "b"]}),
        ({"Description": "<p>Makes <b>steel</b> &amp; more.</p>"}, {"description": "Makes steel & more."}),
        ({"Former names": ["Old Oro", "Inc.", "https://oro.example", "Oro metals", "Half [note"]},
         {"alternative_names": ["Old Oro"]}),
        ({"Also known as": "Oro; Gold & Co"}, {"alternative_names": ["Oro", "Gold & Co"]}),
        ({"CEO": "ADA ORO"}, {"ceo": "Ada Oro"}),
    ],
)  # fmt: skip
def test_a_value_is_normalised(columns: dict[str, Cell], expected: dict[str, Any]) -> None:
    found = values(columns)
    assert {field: found.get(field) for field in expected} == expected


@pytest.mark.parametrize(
    ("header", "cell", "gone"),
    [
        ("Employees", "-5", "full_time_employees"),
        ("Employees", "99999999", "full_time_employees"),
        ("Revenue", "-3000000", "revenue_usd"),
        ("Revenue", "12%", "revenue_usd"),
        ("Revenue", "1e30", "revenue_usd"),
        ("Website", "http://not a site", "website_domain"),
        ("Ticker", "123456789012", "stock_ticker"),
    ],
)
def test_what_cannot_be_is_left_out_and_reported(header: str, cell: str, gone: str) -> None:
    accounts, problems = normalised(
        ["Company Name", header], ["Oro", cell], overrides={header: gone.replace("_usd", "")}
    )
    assert accounts[0] is not None
    assert gone not in accounts[0].values
    assert [(p.line, p.column, p.effect, p.value) for p in problems] == [
        (2, header, "value dropped", cell)
    ]


@pytest.mark.parametrize("filler", ["N/A", "null", "-", "unknown", "#N/A", "", "0"])
def test_fillers_say_nothing_and_are_no_problem(filler: str) -> None:
    header = ["Company Name", "Employees", "Revenue", "Website"]
    site = "" if filler == "0" else filler
    accounts, problems = normalised(
        header, ["Oro", filler, filler, site], ["Uno", "3", "4", "u.example"]
    )
    assert accounts[0] is not None
    assert dict(accounts[0].values) == {"company_name": "Oro"}
    assert problems == []


def test_shouted_names_are_put_into_ordinary_case_and_trade_names_kept() -> None:
    header = ["Employer", "State"]
    rows: list[list[Cell]] = [
        ["1661 INC D B A GOAT", "CA"],
        ["UNO CO", "NY"],
        ["DUO", ""],
        ["", "TX"],
    ]
    accounts, problems = normalised(header, *rows)
    first = accounts[0]
    assert first is not None
    assert first.name == "1661 Inc"
    assert first.values["alternative_names"] == ["Goat"]
    assert first.shouted
    assert accounts[3] is None
    assert [(p.line, p.reason) for p in problems] == [(5, "neither a name nor a website")]


def test_a_domain_stands_in_for_a_name() -> None:
    accounts, _ = normalised(
        ["Company", "Website"], ["", "www.oro.example"], ["Uno", "uno.example"]
    )
    assert accounts[0] is not None
    assert (accounts[0].name, accounts[0].named) == ("oro.example", False)


def test_tokens_become_names() -> None:
    accounts, _ = normalised(
        ["value"], *([[token] for token in ("agi-inc", "joinuplift", "acme_labs")])
    )
    assert [account.name for account in accounts if account] == [
        "Agi Inc",
        "Joinuplift",
        "Acme Labs",
    ]


def test_identifiers_become_references() -> None:
    account = one(
        {"Company Name": "Oro", "Account Id": "A1", "CIK": "66740", "DUNS": "12-345-6789"}
    )
    assert account.references == (("list", "A1"), ("sec_cik", "0000066740"), ("duns", "123456789"))


def test_share_classes_are_no_part_of_a_name() -> None:
    assert one({"Security": "Oro Inc. (Class A)", "Symbol": "ORO"}).name == "Oro Inc."


def test_revenue_without_a_unit_is_told_by_the_employees() -> None:
    rows: list[list[Cell]] = [[f"Company {n}", str(n * 250), str(n * 1000)] for n in range(1, 9)]
    accounts, _ = normalised(["Company", "Revenues", "Employees"], *rows)
    assert accounts[0] is not None
    assert accounts[0].values["revenue_usd"] == 250_000_000.0


def test_of_several_columns_the_first_that_says_something_known_counts() -> None:
    found = values({"Industry": "Nonsense words", "Industry Category": "Biotechnology"})
    assert found["industry"] == "Biotechnology"


def test_rows_with_shifted_cells_are_bad() -> None:
    header = ["column 1", "column 2", "column 3"]
    rows: list[list[Cell]] = [[f"maker{n}", "wd1", f"jobs{n}"] for n in range(40)]
    accounts, problems = normalised(header, *rows, ["wd1", "wd1", "careers"])
    assert accounts[-1] is None
    assert len([account for account in accounts if account]) == 40
    assert "shifted" in problems[0].reason


def test_the_guard_before_a_formula_is_no_part_of_a_value() -> None:
    mapping = guess_mapping((), [Row(1, {"Company": "Oro", "Website": "oro.example"})])
    account, _ = Normaliser(mapping, [])(Row(2, {"Company": "'@Oro", "Website": "'+oro.example"}))
    assert account is not None
    assert account.name == "@Oro"
