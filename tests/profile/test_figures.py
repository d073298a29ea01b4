"""What typed figures say of a year: what was kept, spent and lost, and what stands for or against it."""

from dataclasses import replace
from typing import Any

import pytest

from sightline.profile import figures
from sightline.profile.segments import yearly
from sightline.profile.years import years
from tests.profile.test_fact_sections import evidence, fact, period, proven


def year(label: str, **amounts: tuple[float, float | None]) -> list[Any]:
    end = f"{label[2:]}-12-31"
    return [
        period(label, end, amount, metric=metric, **({} if change is None else {"change": change}))
        for metric, (amount, change) in amounts.items()
    ]


def segment(name: str, amount: float, *, metric: str, change: float | None = None) -> Any:
    value = {
        "axis": "business", "name": name, "metric": metric, "amount": amount, "currency": "USD",
        "period_start": "2025-01-01", "period_end": "2025-12-31", "change": change,
    }  # fmt: skip
    return fact("segment", value, f"/{name}/{metric}")


def test_costs_are_told_where_they_rose() -> None:
    of = evidence(
        year(
            "FY2025",
            revenue=(200.0, 0.1),
            cost_of_revenue=(80.0, 0.2),
            gross_profit=(120.0, None),
            research_and_development=(30.0, -0.1),
            interest_expense=(0.5, 0.5),
        )
    )
    (cost,) = proven(of, figures.rows_of(of, "loses"))
    assert cost["description"] == (
        "Cost of revenue was $80 in FY2025, 40% of the revenue (up 20% from the prior year)."
    )


@pytest.mark.parametrize(
    ("rest", "share"),
    [
        ({}, None),
        ({"gross_profit": (170.0, None)}, None),
        ({"operating_income": (17.0, None)}, None),
        (
            {
                "selling_general_and_administrative": (70.0, -0.1),
                "research_and_development": (33.0, -0.1),
                "operating_income": (17.0, None),
            },
            0.4,
        ),
    ],
)
def test_a_cost_of_revenue_that_is_not_all_of_it_is_not_told(rest: Any, share: Any) -> None:
    of = evidence(year("FY2025", revenue=(200.0, None), cost_of_revenue=(80.0, 0.2), **rest))
    costs = [
        row for row in proven(of, figures.rows_of(of, "loses")) if row["name"] == "Cost of revenue"
    ]
    assert [row["share"] for row in costs] == [share for _ in costs]
    assert bool(costs) is (share is not None)


@pytest.mark.parametrize(
    ("metric", "change", "is_told"),
    [
        ("selling_general_and_administrative", 0.12, False),
        ("selling_general_and_administrative", 0.2, True),
        ("interest_expense", 0.12, False),
        ("interest_expense", 0.2, True),
        ("capital_expenditure", 0.12, False),
        ("capital_expenditure", 0.2, True),
    ],
)
def test_a_cost_that_grows_like_the_revenue_is_no_loss(
    metric: str, change: float, is_told: bool
) -> None:
    others = {"net_income": (-5.0, None)}
    of = evidence(year("FY2025", revenue=(200.0, 0.1), **others, **{metric: (20.0, change)}))
    assert len(figures.rows_of(of, "loses")) == 1 + is_told


def test_a_margin_that_moved_is_told_as_strength_alone() -> None:
    known = [
        *year("FY2025", revenue=(200.0, 1.0), operating_income=(40.0, 3.0)),
        *year("FY2024", revenue=(100.0, None), operating_income=(10.0, None)),
    ]
    assert [row["name"] for row in figures.rows_of(evidence(known), "makes")] == []


def test_divisions_that_lost_money_are_told_among_losses_and_others_among_profits() -> None:
    of = evidence(
        [
            *year("FY2025", revenue=(200.0, None)),
            segment("Rail", 150.0, metric="revenue"),
            segment("Ports", 50.0, metric="revenue"),
            segment("Rail", 30.0, metric="operating_income", change=0.04),
            segment("Ports", -6.0, metric="operating_income", change=2.0),
        ]
    )
    (lost,) = proven(of, figures.rows_of(of, "loses"))
    (earned,) = proven(of, figures.rows_of(of, "makes"))
    assert lost["description"] == "Ports made a segment loss of $6 in FY2025."
    assert earned["description"] == (
        "Rail made a segment profit of $30 in FY2025, 20% of its revenue (up 4% from the prior year)."
    )


@pytest.mark.parametrize(
    ("amounts", "name", "speaks_for"),
    [
        ({"net_income": (10.0, -0.3)}, "Net income fell 30% in FY2025", False),
        ({"net_income": (40.0, 0.1)}, "Net income of $40 in FY2025", True),
        ({"inventory": (40.0, 0.5)}, "Inventories outgrew revenue in FY2025", False),
    ],
)
def test_figures_speak_for_or_against(amounts: Any, name: str, speaks_for: bool) -> None:
    of = evidence(year("FY2025", revenue=(200.0, 0.01), **amounts))
    (row,) = proven(of, figures.rows_of(of, "for" if speaks_for else "against"))
    assert row["name"] == name
    assert figures.rows_of(of, "against" if speaks_for else "for") == []


def test_a_margin_that_moved_is_told_with_the_one_before() -> None:
    of = evidence(
        [
            *year("FY2025", revenue=(200.0, None), operating_income=(40.0, None)),
            *year("FY2024", revenue=(100.0, None), operating_income=(10.0, None)),
        ]
    )
    (row,) = figures.rows_of(of, "for", "against")
    assert row in figures.rows_of(of, "for")
    assert row["name"] == "Operating margin widened to 20% in FY2025"
    (shown,) = proven(of, [row])
    assert shown["description"] == (
        "Operating income was 20% of the revenue in FY2025, after 10% in FY2024."
    )


def test_debt_that_moved_is_told() -> None:
    of = evidence(year("FY2025", cash=(20.0, None), debt=(30.0, 0.5)))
    assert [row["description"] for row in figures.rows_of(of, "against")] == [
        "Debt was $30 at the end of FY2025 (up 50% from the prior year)."
    ]


def test_debt_without_what_is_due_within_a_year_is_called_long_term() -> None:
    of = evidence(year("FY2025", cash=(20.0, None), debt=(30.0, 0.5)))
    tagged = [
        replace(each, pointer="us-gaap:LongTermDebtNoncurrent 2025-12-31")
        for each in of.by_field["fiscal_period"]
    ]
    rows = figures.rows_of(evidence(tagged), "against")
    assert [row["name"] for row in rows] == ["Long-term debt rose 50% in FY2025"]
    assert rows[0]["description"].startswith("Long-term debt was $30")


@pytest.mark.parametrize(
    ("said", "is_repeated"),
    [
        ("We had revenue of $2.2 billion, up 17% from 2024.", True),
        ("We had revenue of $2.2 billion, up 9% from 2024.", False),
        ("We had orders of $2.2 billion.", False),
        ("We had revenue of $2.23 billion.", True),
    ],
)
def test_an_amount_given_with_its_change_is_one_of_the_figures(
    said: str, is_repeated: bool
) -> None:
    shown = figures.shown_amounts(evidence(year("FY2025", revenue=(2.225e9, 0.168))))
    assert figures.repeats_amount(said, shown) is is_repeated


def test_the_newest_quarter_is_told_before_the_year() -> None:
    of = evidence(
        [
            *year("FY2025", revenue=(200.0, -0.1)),
            period("Q1 2026", "2026-02-28", 60.0, change=0.2),
            period("Q4 2025", "2025-12-31", 50.0, change=0.3),
        ]
    )
    rows = proven(of, figures.rows_of(of, "for", "against"))
    assert [each["name"] for each in rows] == [
        "Revenue grew 20% in Q1 2026",
        "Revenue fell 10% in FY2025",
    ]


def test_a_time_that_is_not_over_has_no_figures() -> None:
    ahead = year("FY2031", revenue=(900.0, 3.5))
    of = evidence([*year("FY2025", revenue=(200.0, 0.1)), *ahead])
    assert [each.label for each in years(of)] == ["FY2025"]
    part = segment("Rail", 80.0, metric="revenue")
    later = part.value | {"period_start": "2031-01-01", "period_end": "2031-12-31", "amount": 90.0}
    of = evidence([part, fact("segment", later, "/later")])
    assert [each.amount for each in yearly(of, "business")["Rail"]] == [80.0]


def test_a_charge_is_told_with_the_same_of_the_year_before() -> None:
    newest = year(
        "FY2025", revenue=(200.0, None), restructuring=(6.0, None), litigation=(0.1, None)
    )
    charge, *others = year("FY2024", restructuring=(2.0, None), revenue=(190.0, None))
    other = replace(charge, pointer="restructuring_and_impairments FY2024")
    for before, told in ((charge, ", after $2 in FY2024."), (other, ".")):
        of = evidence([*newest, *others, before])
        (row,) = proven(of, figures.rows_of(of, "loses"))
        assert row["description"] == f"Restructuring charges were $6 in FY2025{told}"
