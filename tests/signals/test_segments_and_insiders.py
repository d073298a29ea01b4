"""Changed segments between two annual reports, and what insiders sell of their own will."""

from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID, uuid4

from sightline.domain.mentions import FactSeen, Mention
from sightline.domain.signals import SignalType
from sightline.signals import insiders, segment_changes
from tests.signals.build import ACME, document

SEEN = datetime(2025, 3, 1, tzinfo=UTC)
Amounts = dict[str, dict[int, float]]


def report(amounts: Amounts, axis: str = "product") -> list[FactSeen]:
    """The facts of one annual report: yearly revenue by name of a line."""
    document_id = uuid4()
    return [
        fact(document_id, axis, name, year, amount)
        for name, years in amounts.items()
        for year, amount in years.items()
    ]


def fact(document_id: UUID, axis: str, name: str, year: int, amount: float) -> FactSeen:
    value: dict[str, Any] = {
        "axis": axis, "name": name, "metric": "revenue", "amount": amount, "currency": "USD",
        "period_start": f"{year}-01-01", "period_end": f"{year}-12-31",
    }  # fmt: skip
    return FactSeen(
        field="segment", member=f"{name} {year}", value=value, source="sec_edgar",
        document_id=document_id, url="https://www.sec.example/10k.htm", quote=None, pointer="#x",
        confidence=0.9, as_of=date(year, 12, 31), first_seen_at=SEEN, withdrawn_at=None, parser=1,
        fetched_at=SEEN,
    )  # fmt: skip


def changes(older: Amounts, newer: Amounts) -> list[Mention]:
    return segment_changes.read([*report(older), *report(newer)], ACME)


OLDER: Amounts = {"Widgets": {2023: 900.0}, "Gears": {2023: 300.0}, "Other": {2023: 10.0}}


def test_the_same_lines_in_two_years_are_no_news() -> None:
    newer = {"Widgets": {2023: 900.0, 2024: 950.0}, "Gears": {2023: 300.0, 2024: 310.0}}
    assert changes(OLDER, newer) == []


def test_a_line_with_the_same_past_revenue_was_renamed() -> None:
    (reported,) = changes(
        OLDER, {"Widgets": {2023: 900.0, 2024: 950.0}, "Drives": {2023: 300.0, 2024: 310.0}}
    )
    assert reported.type == SignalType.REBRANDS
    assert reported.title == f"{ACME.name} renames its product line Gears to Drives"


def test_a_line_split_in_two_is_one_happening() -> None:
    newer = {
        "Widgets": {2023: 900.0, 2024: 950.0},
        "Cogs": {2023: 120.0, 2024: 130.0},
        "Belts": {2023: 180.0, 2024: 190.0},
    }
    (reported,) = changes(OLDER, newer)
    assert reported.type == SignalType.STRATEGIC_PRIORITY_STATED
    assert "Gears down into Cogs and Belts" in reported.title


def test_a_line_that_left_the_accounts_of_the_past_year_is_gone() -> None:
    newer = {"Widgets": {2023: 900.0, 2024: 950.0}, "Robots": {2024: 40.0}}
    kinds = {reported.type: reported for reported in changes(OLDER, newer)}
    assert kinds[SignalType.EXPANDS_TO].title.endswith("a new product line: Robots")
    assert kinds[SignalType.DIVESTS].title.endswith("no longer reports its product line Gears")
    assert kinds[SignalType.DIVESTS].quote == "Gears"


def test_reports_that_are_not_a_year_apart_are_not_compared() -> None:
    assert changes({"A": {2020: 1.0}, "B": {2020: 2.0}}, {"C": {2024: 1.0}, "D": {2024: 2.0}}) == []


SALE = (
    "Rowan Ellery (director, Chief Executive Officer) of Acme Widget Corporation, Form 4.\n"
    "2024-03-05: sold 40,000 Common Stock at $50.00; 90,000 held afterwards (code S).\n"
)


def test_a_large_sale_of_ones_own_will_is_told() -> None:
    (reported,) = insiders.read([document(SALE, title="4 for 2024-03-05")], ACME)
    assert reported.type == SignalType.DIVESTS
    assert reported.amount is not None
    assert reported.amount.value == 2_000_000
    assert reported.quote in SALE
    assert "outside a Rule 10b5-1 plan" in reported.title


def test_sales_by_plan_small_ones_and_those_before_the_box_are_not_told() -> None:
    planned = SALE + "The transaction was made under a Rule 10b5-1 plan."
    assert insiders.read([document(planned, title="4 for 2024-03-05")], ACME) == []
    small = SALE.replace("40,000", "4,000")
    assert insiders.read([document(small, title="4 for 2024-03-05")], ACME) == []
    old = document(SALE, title="4 for 2022-03-05", published=datetime(2022, 3, 6, 12, tzinfo=UTC))
    assert insiders.read([old], ACME) == []


def test_a_purchase_is_still_told() -> None:
    bought = SALE.replace("sold", "bought").replace("code S", "code P")
    (reported,) = insiders.read([document(bought, title="4 for 2024-03-05")], ACME)
    assert reported.type == SignalType.INVESTS_INTO


def sale(person: str, day: str, shares: str) -> str:
    return (
        f"{person} (officer) of Acme Widget Corporation, Form 4.\n"
        f"{day}: sold {shares} Common Stock at $50.00; 90,000 held afterwards (code S).\n"
    )


def test_forms_of_one_fortnight_are_one_happening_with_totals_and_a_proof_each() -> None:
    forms = [
        document(sale("Rowan Ellery", "2024-03-05", "12,000"), title="4 for 2024-03-05"),
        document(sale("Rowan Ellery", "2024-03-08", "6,000"), title="4 for 2024-03-08"),
        document(sale("Ida Moss", "2024-03-12", "10,000"), title="4 for 2024-03-12"),
        document(sale("Ida Moss", "2024-06-12", "1,000"), title="4 for 2024-06-12"),
    ]
    reported = insiders.read(forms, ACME)
    assert {each.document_id for each in reported} == {each.document_id for each in forms[:3]}
    assert (
        len({(each.title, each.summary, each.occurred_at, each.counterparty) for each in reported})
        == 1
    )
    first = reported[0]
    assert first.title == (
        f"2 insiders sell $1.4 million of {ACME.name} shares, outside a Rule 10b5-1 plan"
    )
    assert first.amount is not None
    assert first.amount.value == 1_400_000
    assert "Rowan Ellery (officer) sold 18,000 shares" in first.summary
    assert "from 2024-03-05 to 2024-03-12" in first.summary
    assert [party.name for party in first.parties] == ["Rowan Ellery", "Ida Moss", ACME.name]
    texts = {form.document_id: form.text for form in forms}
    assert all(each.quote in texts[each.document_id] for each in reported if each.document_id)


def test_what_an_amendment_repeats_counts_once_and_lines_alike_count_twice() -> None:
    text = SALE + SALE.splitlines()[1] + "\n"
    twice = document(text, title="4 for 2024-03-05")
    again = document(text, title="4/A for 2024-03-05")
    (reported,) = insiders.read([twice, again], ACME)
    assert reported.amount is not None
    assert reported.amount.value == 4_000_000
    assert reported.document_id == twice.document_id
