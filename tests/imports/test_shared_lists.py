"""The recorded public lists: each comes in without hand work, twice without a change, or is refused."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from sightline.domain.bands import EMPLOYEE_BANDS, REVENUE_BANDS
from sightline.domain.callers import OrganizationId
from sightline.domain.countries import countries
from sightline.domain.industries import industries, sectors
from sightline.imports.rows import FileIsNotReadable
from sightline.imports.run import ImportSummary, import_accounts
from sightline.imports.spool import ImportOptions
from sightline.store.database import Database

# File -> fields that must be mapped, and the least rows that must become or find an account.
LISTS: dict[str, tuple[set[str], int]] = {
    "sp500_constituents.csv": ({"company_name", "stock_ticker", "place", "industry", "cik"}, 503),
    "sp500_history/2012-12-27.csv": ({"company_name", "stock_ticker", "sector"}, 497),
    "fortune500/fortune500-1955.csv": ({"company_name", "revenue"}, 500),
    "fortune500/2018-0.json.gz": (
        {
            "company_name",
            "website",
            "revenue",
            "full_time_employees",
            "ceo",
            "hq_city",
            "stock_ticker",
        },
        100,
    ),
    "salesforce_Account_export.csv": ({"company_name", "external_id", "hq_city", "country"}, 4),
    "yc/batches/summer-2021.json": (
        {"company_name", "website", "external_id", "place", "description", "full_time_employees"},
        391,
    ),
    "ats_companies/grnhse_1236.csv": (
        {"company_name", "website", "place", "industry", "full_time_employees", "revenue"},
        1236,
    ),
    "ats_companies/Use_Greenhouse_As_ATS_companies_Info.csv": (
        {"company_name", "website", "place", "industry", "full_time_employees", "revenue"},
        2771,
    ),
    "ats_companies/lever_companies.json": ({"company_name"}, 947),
    "ats_companies/workday_companies.json": ({"company_name"}, 1900),
    "gleif/9845001B2AD43E664E58_issued.json": ({"company_name", "lei", "hq_city", "country"}, 1),
    "h1b/h1b_datahubexport-2023.csv.gz": ({"company_name", "hq_city", "hq_state", "naics"}, 33_331),
}
REFUSED = (
    "esco/ISCOGroups_en.csv",
    "esco/occupations_en.csv.gz",
    "gleif/2021-10-21-elf-code-list-v1.4.1.csv",
    "yc/meta.json",
)


async def bring(
    database: Database, organization: OrganizationId, path: Path, report: Path
) -> ImportSummary:
    return await import_accounts(
        database, organization, path, options=ImportOptions(report=report / "report.csv")
    )


@pytest.mark.parametrize("name", LISTS)
async def test_a_list_comes_in_and_a_second_time_changes_nothing(
    name: str, shared: Path, database: Database, organization: OrganizationId, tmp_path: Path
) -> None:
    fields, least = LISTS[name]
    first = await bring(database, organization, shared / "lists" / name, tmp_path)
    assert fields <= {guess.field for guess in first.mapping.guesses}
    assert first.rows - first.bad >= least
    assert first.created >= 0.3 * least
    assert not nonsense(await accounts(database, organization))
    again = await bring(database, organization, shared / "lists" / name, tmp_path)
    assert (again.created, again.updated) == (0, 0)
    assert (again.rows, again.bad) == (first.rows, first.bad)


@pytest.mark.parametrize("name", REFUSED)
async def test_what_is_no_list_of_companies_is_refused(
    name: str, shared: Path, database: Database, organization: OrganizationId, tmp_path: Path
) -> None:
    with pytest.raises(FileIsNotReadable):
        await bring(database, organization, shared / "lists" / name, tmp_path)
    assert await accounts(database, organization) == []


async def accounts(database: Database, organization: OrganizationId) -> list[dict[str, Any]]:
    async with database.tenant(organization) as connection:
        rows = await connection.fetch("SELECT own FROM account_records")
    return [row["own"] for row in rows]


def nonsense(records: Iterable[dict[str, Any]]) -> list[tuple[str, Any]]:
    """Values outside the vocabularies or of the wrong kind."""
    vocabularies: dict[str, set[str]] = {
        "industry": {industry.name for industry in industries()},
        "sector": set(sectors()),
        "employee_count_range": set(EMPLOYEE_BANDS),
        "revenue_range": set(REVENUE_BANDS),
        "country_code": {country.alpha2 for country in countries()},
    }
    wrong: list[tuple[str, Any]] = []
    for record in records:
        wrong += [
            (field, record[field])
            for field, allowed in vocabularies.items()
            if field in record and record[field] not in allowed
        ]
        name = record["company_name"]
        if name != name.strip() or not any(map(str.isalnum, name)) or name.startswith("http"):
            wrong.append(("company_name", name))
        if not 0 < record.get("full_time_employees", 1) < 5_000_000:
            wrong.append(("full_time_employees", record["full_time_employees"]))
        if not 0 < record.get("revenue_usd", 1) < 2e12:
            wrong.append(("revenue_usd", record["revenue_usd"]))
    return wrong
