"""The checker drops what is not proven: false quotes, figures and names of no source."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest

from sightline.profile.checker import Checker
from sightline.profile.evidence import Quote

TEXT = "Larkspur  opened three\ncold stores in Bergen for $4.5 million."
DOCUMENT = UUID(int=7)
FACT = {"amount": 150_000_000, "change": 0.25, "label": "FY2025"}
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def check() -> Checker:
    return Checker(
        {DOCUMENT: TEXT}.get,
        facts={(DOCUMENT, "revenue"): [FACT]},
        titles={DOCUMENT: "10-K for 2025-09-27"},
        known="ColdPilot",
    )


def statement(description: str, *quotes: Quote, **more: Any) -> dict[str, Any]:
    return {"name": "Stores", "description": description, "sources": quotes, **more}


SAID = Quote(DOCUMENT, "Larkspur opened three cold stores in Bergen")
TAGGED = Quote(DOCUMENT, None, "revenue")


@pytest.mark.parametrize(
    "proven",
    [
        statement("Larkspur opened three cold stores in Bergen", SAID),
        statement("Revenue of $150 million (+25%)", TAGGED),
        statement("It opened stores in Bergen with our ColdPilot.", SAID),
        statement("It opened stores in Bergen, says its 10-K for 2025.", SAID, method="a:model"),
        statement("It opened stores in the year ended September 27, 2025.", SAID, method="a:model"),
        statement("Nothing is claimed."),
        statement("Revenue takes 42.5% of all.", TAGGED, method="a:model", share=0.425),
    ],
)
def test_what_is_proven_stays(check: Checker, proven: dict[str, Any]) -> None:
    body, verdict = check.prove([proven])
    assert body == [proven]
    assert verdict.failures == ()


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (
            statement("x", Quote(DOCUMENT, "Larkspur closed three cold stores")),
            "not in its document",
        ),
        (statement("x", Quote(uuid4(), "Larkspur opened")), "not stored"),
        (statement("x", Quote(DOCUMENT, None, "net_income")), "no fact"),
        (statement("x", Quote(DOCUMENT, None)), "without quote"),
        (statement("Larkspur opened 31 stores.", SAID), "figure"),
        (statement("Larkspur opened 27 stores.", SAID, method="a:model"), "figure"),
        (statement("It opened them by September 28, 2025.", SAID, method="a:model"), "figure"),
        (statement("Revenue of $160 million", TAGGED), "figure"),
        (statement("It opened stores in Hamburg.", SAID), "name"),
        (statement("Revenue takes 42.5% of all.", TAGGED, method="a:model"), "figure"),
        (statement("Stores take 42.5% of all.", SAID, method="a:model", share=0.425), "figure"),
    ],
)
def test_what_is_not_proven_goes(check: Checker, fault: dict[str, Any], reason: str) -> None:
    body, verdict = check.prove([fault])
    assert body == []
    assert len(verdict.failures) == 1
    assert reason in verdict.failures[0]


def test_inner_statements_are_proven_too(check: Checker) -> None:
    good, bad = statement("x", SAID), statement("x", Quote(DOCUMENT, "Nobody said so"))
    outer = {"division_name": "Stores", "sources": (TAGGED,), "priorities": [good, bad]}
    body, verdict = check.prove([outer])
    assert body == [{**outer, "priorities": [good]}]
    assert verdict.checked == 3
    assert len(verdict.failures) == 1
