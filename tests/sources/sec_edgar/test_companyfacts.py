"""Figures by period: which element, which version, which fiscal quarter."""

import json
from datetime import date
from typing import Any

import pytest

from sightline.sources.sec_edgar.companyfacts import (
    CompanyFacts,
    NotCompanyFacts,
    PeriodFigure,
    read_companyfacts,
)

Raw = dict[str, Any]


def fact(start: str | None, end: str, value: float, **more: Any) -> Raw:
    """A fact of a 10-K filed two months after its end, unless said otherwise."""
    raw: Raw = {"end": end, "val": value, "form": "10-K", "fp": "FY"}
    raw |= {"fy": int(end[:4]), "filed": f"{int(end[:4]) + 1}-02-20", "accn": f"10K-{end[:4]}"}
    if start:
        raw["start"] = start
    return raw | more


def quarter(start: str, end: str, value: float, **more: Any) -> Raw:
    return fact(start, end, value, form="10-Q", filed=end, accn=f"10Q-{end}", **more)


def answer(
    elements: dict[str, dict[str, list[Raw]]], prefix: str = "us-gaap", **more: Any
) -> CompanyFacts:
    facts = {prefix: {name: {"units": units} for name, units in elements.items()}} | more
    return read_companyfacts(
        json.dumps({"cik": 90001, "entityName": "Plum", "facts": facts}).encode()
    )


def figure(read: CompanyFacts, metric: str, label: str) -> PeriodFigure:
    return next(one for one in read.periods if one.metric == metric and one.label == label)


def year(number: int, value: float, **more: Any) -> Raw:
    return fact(f"{number}-01-01", f"{number}-12-31", value, **more)


@pytest.mark.parametrize(
    ("metric", "elements"),
    [
        ("revenue", ["SalesRevenueGoodsGross"]),
        ("revenue", ["RevenueFromSaleOfGoods", "RevenueFromRenderingOfServices"]),
        ("cost_of_revenue", ["CostOfGoodsSold", "CostOfServices"]),
        ("operating_cash_flow", ["NetCashProvidedByUsedInOperatingActivities"]),
        ("capital_expenditure", ["PaymentsToAcquireProductiveAssets"]),
        ("interest_expense", ["InterestExpenseDebt"]),
        ("selling_general_and_administrative",
         ["SellingAndMarketingExpense", "GeneralAndAdministrativeExpense"]),
    ],
)  # fmt: skip
def test_a_metric_has_whatever_element_a_company_tags(metric: str, elements: list[str]) -> None:
    read = answer(
        {"NetIncomeLoss": {"USD": [year(2023, 7)]}}
        | {name: {"USD": [year(2023, 100)]} for name in elements}
    )
    assert figure(read, metric, "FY2023").amount == 100 * len(elements)


def test_balances_of_every_family_are_read() -> None:
    elements = ("Liabilities", "StockholdersEquity", "InventoryNet", "ConvertibleNotesPayable")
    read = answer(
        {"NetIncomeLoss": {"USD": [year(2023, 7)]}}
        | {name: {"USD": [fact(None, "2023-12-31", 50)]} for name in elements}
    )
    for metric in ("total_liabilities", "equity", "inventory", "debt"):
        assert figure(read, metric, "FY2023").amount == 50


def test_the_last_filed_version_of_a_year_counts() -> None:
    first = year(2022, 1000)
    restated = year(2022, 900, filed="2024-02-20", accn="10K-2023", fy=2023)
    read = answer({"Revenues": {"USD": [year(2023, 1100), first, restated]}})
    assert figure(read, "revenue", "FY2022").amount == 900
    newest = figure(read, "revenue", "FY2023")
    assert newest.change == pytest.approx(1100 / 900 - 1, abs=1e-4)
    revenue = next(one for one in read.observations if one.field == "revenue")
    assert revenue.value == {
        "amount": 1100,
        "currency": "USD",
        "fiscal_year": 2023,
        "period_end": "2023-12-31",
    }
    assert revenue.pointer == "us-gaap:Revenues 2023-01-01/2023-12-31 USD in 10K-2023"


def test_a_version_in_the_wrong_scale_is_passed_over() -> None:
    versions = [
        year(2022, 5_000_000),
        year(2022, 5_000_000, filed="2023-06-01", accn="b"),
        year(2022, 5, filed="2024-02-20", accn="c"),
    ]
    assert figure(answer({"Revenues": {"USD": versions}}), "revenue", "FY2022").amount == 5_000_000


def test_figures_of_pay_tables_in_proxy_statements_do_not_count() -> None:
    proxy = year(2023, 120, form="DEF 14A", filed="2024-04-01", accn="proxy")
    read = answer({"NetIncomeLoss": {"USD": [year(2023, 123), proxy]}})
    assert figure(read, "net_income", "FY2023").amount == 123


def test_the_fourth_quarter_is_the_rest_of_the_year_and_cumulative_periods_are_no_quarters() -> (
    None
):
    facts = [
        quarter("2023-01-01", "2023-03-31", 10),
        quarter("2023-04-01", "2023-06-30", 20),
        quarter("2023-01-01", "2023-06-30", 30),
        quarter("2023-07-01", "2023-09-30", 30),
        quarter("2023-01-01", "2023-09-30", 60),
        year(2023, 100),
    ]
    read = answer({"Revenues": {"USD": facts}})
    amounts = {one.label: one.amount for one in read.periods}
    assert amounts == {
        "FY2023": 100,
        "Q4 FY2023": 40,
        "Q3 FY2023": 30,
        "Q2 FY2023": 20,
        "Q1 FY2023": 10,
    }
    last = figure(read, "revenue", "Q4 FY2023")
    assert last.derived
    assert (last.start, last.end) == (date(2023, 10, 1), date(2023, 12, 31))
    assert not figure(read, "revenue", "Q3 FY2023").derived


def test_a_derived_quarter_uses_the_figures_of_its_time() -> None:
    facts = [
        quarter("2023-01-01", "2023-09-30", 60),
        year(2023, 100),
        year(2023, 70, filed="2025-02-20", accn="10K-2024", fy=2024),  # after a sale of a business
    ]
    read = answer({"Revenues": {"USD": facts}})
    assert figure(read, "revenue", "Q4 FY2023").amount == 40
    assert figure(read, "revenue", "FY2023").amount == 70


def test_fiscal_years_are_counted_as_the_company_counts_them() -> None:
    """52/53 weeks ending around the end of January; this company calls 2023-02-04 fiscal 2022."""
    ends = [("2021-01-31", "2022-01-29", 2021), ("2022-01-30", "2023-01-28", 2022)]
    facts = [fact(start, end, 10, fy=number, accn=end) for start, end, number in ends]
    facts.append(quarter("2023-01-29", "2023-04-29", 3, fy=2023))
    read = answer({"Revenues": {"USD": facts}})
    assert [one.label for one in read.periods] == ["Q1 FY2023", "FY2022", "FY2021"]


def test_a_total_is_preferred_to_its_part_and_parts_of_banks_are_added() -> None:
    read = answer(
        {
            "Revenues": {"USD": [year(2023, 40)]},
            "RevenueFromContractWithCustomerExcludingAssessedTax": {"USD": [year(2023, 100)]},
        }
    )
    assert figure(read, "revenue", "FY2023").amount == 100
    bank = answer(
        {
            "InterestIncomeExpenseNet": {"USD": [year(2023, 300)]},
            "NoninterestIncome": {"USD": [year(2023, 50)]},
            "RevenueFromContractWithCustomerExcludingAssessedTax": {"USD": [year(2023, 20)]},
        }
    )
    total = figure(bank, "revenue", "FY2023")
    assert total.amount == 350
    assert total.tag == "us-gaap:InterestIncomeExpenseNet + us-gaap:NoninterestIncome"


def test_elements_may_change_over_the_years() -> None:
    read = answer(
        {
            "SalesRevenueNet": {"USD": [year(2017, 80)]},
            "RevenueFromContractWithCustomerExcludingAssessedTax": {"USD": [year(2018, 90)]},
        }
    )
    assert [one.amount for one in read.periods] == [90, 80]
    assert figure(read, "revenue", "FY2018").change == 0.125


def test_ifrs_and_the_reporting_currency() -> None:
    euros = [year(n, 100 + n - 2020, form="20-F") for n in (2021, 2022, 2023)]
    dollars = [year(2023, 110, form="20-F")]  # a convenience translation
    read = answer(
        {
            "Revenue": {"EUR": euros, "USD": dollars},
            "ProfitLossAttributableToOwnersOfParent": {"EUR": [year(2023, 7, form="20-F")]},
        },
        prefix="ifrs-full",
    )
    assert read.currency == "EUR"
    assert figure(read, "revenue", "FY2023").amount == 103
    assert (
        figure(read, "net_income", "FY2023").tag
        == "ifrs-full:ProfitLossAttributableToOwnersOfParent"
    )


def test_balances_belong_to_the_day_that_a_period_ends() -> None:
    read = answer(
        {
            "Revenues": {"USD": [year(2022, 9), year(2023, 10)]},
            "Assets": {"USD": [fact(None, "2023-12-31", 50), fact(None, "2023-08-15", 1)]},
            "LongTermDebtNoncurrent": {
                "USD": [fact(None, "2022-12-31", 8), fact(None, "2023-12-31", 5)]
            },
            "LongTermDebtCurrent": {"USD": [fact(None, "2023-12-31", 2)]},
        }
    )
    assets = figure(read, "total_assets", "FY2023")
    assert (assets.amount, assets.start) == (50, None)
    debt = figure(read, "debt", "FY2023")
    assert (debt.amount, debt.derived) == (7, True)
    assert debt.change is None  # the year before another thing was tagged
    assert not [one for one in read.periods if one.end == date(2023, 8, 15)]


def test_the_cover_page_counts_while_it_is_filed() -> None:
    def dei(newest: str) -> dict[str, Any]:
        units = {"shares": [fact(None, newest, 777, filed=newest)]}
        return {"EntityCommonStockSharesOutstanding": {"units": units}}

    revenue = {"Revenues": {"USD": [year(2023, 10)]}}
    fresh = answer(revenue, dei=dei("2024-01-31"))
    assert [o.value for o in fresh.observations if o.field == "shares_outstanding"] == [777]
    stale = answer(revenue, dei=dei("2014-01-31"))
    assert not [o for o in stale.observations if o.field == "shares_outstanding"]


@pytest.mark.parametrize("body", [b"", b"{}", b"[1]", b"<xml/>", b'{"cik": 1}'])
def test_what_is_no_answer_is_refused(body: bytes) -> None:
    with pytest.raises(NotCompanyFacts):
        read_companyfacts(body)


def test_broken_facts_cost_no_others() -> None:
    facts = [{"end": "nonsense"}, None, year(2023, 10), {"val": 1}]
    assert figure(answer({"Revenues": {"USD": facts}}), "revenue", "FY2023").amount == 10  # type: ignore[dict-item]
