"""Columns to fields, from names and values."""

import pytest

from sightline.imports.columns import (
    guess_mapping,
    judge,
)
from sightline.imports.fields import ColumnDoesNotExist, ColumnMapping, FieldDoesNotExist, fields_of
from sightline.imports.rows import Cell, FileHasNoCompanies, Row


def rows_of(columns: dict[str, list[Cell]]) -> list[Row]:
    length = max(map(len, columns.values()))
    return [
        Row(n + 2, {name: values[n] for name, values in columns.items() if n < len(values) and values[n]})
        for n in range(length)
    ]  # fmt: skip


def mapped(columns: dict[str, list[Cell]], **options: object) -> ColumnMapping:
    return guess_mapping(columns, rows_of(columns), **options)  # type: ignore[arg-type]


def fields(columns: dict[str, list[Cell]], **options: object) -> dict[str, str]:
    return {guess.column: guess.field for guess in mapped(columns, **options).guesses}


NAMES: list[Cell] = ["Oro Metals", "Uno Foods", "Duo Tools", "Nimbus"]
SITES: list[Cell] = ["oro.example", "https://www.uno.example/x", "duo.example", "nimbus.example"]


@pytest.mark.parametrize(
    ("header", "values", "field"),
    [
        ("Account Name", NAMES, "company_name"),
        ("Firmenname", NAMES, "company_name"),
        ("Raison sociale", NAMES, "company_name"),
        ("Razón social", NAMES, "company_name"),
        ("companyName", NAMES, "company_name"),
        ("COMPANY_NAME", NAMES, "company_name"),
        ("Security", NAMES, "company_name"),
        ("properties.name", NAMES, "company_name"),
        ("# Employees", ["1", "2,000", "", "33"], "full_time_employees"),
        ("Company Size", ["1-10", "51-200", "10,001+", ""], "full_time_employees"),
        ("Mitarbeiterzahl", ["1.200", "30", "7", "9"], "full_time_employees"),
        ("AnnualRevenue", ["1000000", "2.5M", "", "7"], "revenue"),
        ("revenue ($ millions)", ["12.5", "3", "99.9", "1"], "revenue"),
        ("Chiffre d'affaires", ["1 000 000 €", "3", "", ""], "revenue"),
        ("GICS Sub-Industry", ["Biotechnology", "Steel", "Insurance", "Steel"], "industry"),
        ("Branche", ["Software", "Banking", "Steel", "Steel"], "industry"),
        ("BillingCity", ["Turku", "Hull", "Oslo", "Bern"], "hq_city"),
        ("HQ State", ["CA", "NY", "TX", "OH"], "hq_state"),
        ("hqzip", ["90210", "10001", "73301", "44101"], "hq_postcode"),
        ("PLZ", ["80331", "10115", "20095", "50667"], "hq_postcode"),
        ("Headquarters Location", ["Austin, Texas", "Turku, Finland", "", ""], "place"),
        ("Land", ["Deutschland", "FR", "Spain", "US"], "country"),
        ("Ticker Symbol", ["ORO", "UNO", "BRK.B", "X"], "stock_ticker"),
        ("NAICS", ["51", "5112", "31-33", "54"], "naics"),
        ("SIC Code", ["7372", "2911", "100", "6021"], "sic"),
        ("CIK", ["66740", "1800", "1551152", "7"], "cik"),
        ("LinkedIn Company Page", ["https://linkedin.com/company/oro", "linkedin.com/company/uno"],
         "profile_network_url"),
        ("CEO", ["Ada Oro", "Bo Uno", "", ""], "ceo"),
        ("Founded", ["1999", "2001", "2020", "1888"], None),
        ("Phone", ["+49 1", "+1 2", "", ""], None),
        ("Owner Name", ["Ada", "Bo", "Cy", "Di"], None),
        ("Parent Company Name", ["Big Corp", "", "", ""], None),
        ("Profit ($ millions)", ["1", "2", "-3", "4"], None),
        ("Website", ["none of your business", "no site", "ask us", "later"], None),
    ],
)  # fmt: skip
def test_a_header_with_fitting_values(header: str, values: list[Cell], field: str | None) -> None:
    beside: dict[str, list[Cell]] = {"Company Domain": SITES}
    assert fields(beside | {header: values}).get(header) == field


def test_pages_of_one_site_about_many_companies_are_no_websites() -> None:
    pages: list[Cell] = [f"https://list.example/companies/{n}" for n in range(4)]
    mapping = mapped({"name": NAMES, "url": pages, "id": ["1", "2", "3", "4"]}, file_stem="export")
    assert mapping.of("website") == ()
    assert mapping.source_system == "list.example"


def test_a_person_in_a_contact_list_is_no_company() -> None:
    people: list[Cell] = ["Ada Oro", "Bo Uno", "Cy Duo", "Di Nimbus"]
    assert fields({"Name": people, "Company": NAMES})["Company"] == "company_name"
    assert "Name" not in fields({"Name": people, "Company": NAMES})


def test_of_nested_columns_the_parts_of_other_things_are_left_alone() -> None:
    found = fields({"company.name": NAMES, "owner.name": NAMES, "owner.id": ["1", "2", "3", "4"]})
    assert found == {"company.name": "company_name"}


def test_without_column_names_values_decide() -> None:
    columns: dict[str, list[Cell]] = {
        "column 1": NAMES,
        "column 2": ["40", "750", "97", "26"],
        "column 3": SITES,
        "column 4": ["Austin, TX", "Berlin, Germany", "Helsinki, Finland", "Boston, MA"],
        "column 5": ["51 to 200 employees", "1 to 50 employees", "10000+ employees", ""],
    }
    assert fields(columns) == {
        "column 1": "company_name",
        "column 3": "website",
        "column 4": "place",
        "column 5": "full_time_employees",
    }


def test_salesforce_ids_name_their_system() -> None:
    ids: list[Cell] = [f"001Ox00000PVUo{n}IAX"[:18] for n in range(4)]
    assert mapped({"Id": ids, "Name": NAMES}, file_stem="x").source_system == "salesforce"
    assert (
        mapped({"Id": ["1", "2", "3", "4"], "Name": NAMES}, file_stem="My List").source_system
        == "my-list"
    )


def test_a_company_column_of_domains_is_a_website() -> None:
    assert fields({"Company": SITES}) == {"Company": "website"}


def test_overrides_win_and_ignore() -> None:
    columns: dict[str, list[Cell]] = {"Name": NAMES, "Foo": NAMES, "Website": SITES}
    found = fields(columns, overrides={"foo": "company_name", "Website": ""})
    assert found == {"Foo": "company_name"}
    ignored = dict(mapped(columns, overrides={"Website": ""}).ignored)
    assert ignored == {"Foo": "no matching field", "Website": "ignored on request"}


def test_wrong_overrides_are_errors_that_help() -> None:
    with pytest.raises(ColumnDoesNotExist, match="Name, Website"):
        mapped({"Name": NAMES, "Website": SITES}, overrides={"Nam": "company_name"})
    with pytest.raises(FieldDoesNotExist, match="company_name"):
        fields_of("accounts").overrides(["Name=company"])
    with pytest.raises(FieldDoesNotExist, match="COLUMN=FIELD"):
        fields_of("accounts").overrides(["Name"])
    assert fields_of("accounts").overrides(["a=b=website_domain", "Foo="]) == {
        "a=b": "website_domain",
        "Foo": "",
    }


def test_a_file_without_companies_names_its_columns() -> None:
    with pytest.raises(FileHasNoCompanies, match=r"'code', 'preferredLabel'"):
        mapped({"code": ["1", "2"], "preferredLabel": ["armed forces", "managers"]})


def test_judge_prefers_companies_to_other_lists() -> None:
    companies = rows_of({"name": NAMES, "website": SITES})
    articles = rows_of({"title": NAMES, "text": NAMES})
    assert judge(companies) > judge(articles) >= 0
    assert judge(rows_of({"label": NAMES})) == 0
