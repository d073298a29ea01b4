"""What only several pulls, versions or reports tell together."""

import random
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from sightline.domain.mentions import (
    EvidenceDocument,
    FactSeen,
    PostingSeen,
    Pull,
    Span,
    Version,
)
from sightline.domain.signals import SignalType
from sightline.signals import field_changes, postings, risk_changes, technologies
from sightline.signals.hiring_counts import hiring_change, windows
from tests.signals.build import ACME

START = datetime(2024, 1, 1, tzinfo=UTC)
BOARD = "greenhouse/acme"


def pulls(opened: list[int], *, days: int = 30) -> list[Pull]:
    made = [Pull(BOARD, START, True, 50, 50, 0)]
    for n, count in enumerate(opened, start=1):
        made.append(Pull(BOARD, START + timedelta(days=days * n), True, 50, count, count))
    return made


def test_a_surge_and_a_slowdown_stand_out() -> None:
    surge = hiring_change(pulls([20, 24, 18, 22, 19, 75]))
    assert surge is not None
    assert surge.direction == "surge"
    slowdown = hiring_change(pulls([80, 95, 88, 102, 91, 85, 12]))
    assert slowdown is not None
    assert slowdown.direction == "slowdown"


def test_a_slowdown_that_lasts_stands_out_though_no_single_month_does() -> None:
    months = [37, 35, 50, 36, 28, 32, 13, 12, 14]
    assert hiring_change(pulls(months[:7])) is None
    found = hiring_change(pulls(months))
    assert found is not None
    assert (found.direction, found.window.opened, found.windows) == ("slowdown", 39, 6)


@pytest.mark.parametrize(
    "opened",
    [
        [20, 24, 18, 22, 19, 27],  # as usual
        [20, 24, 18, 22, 19, 14, 13, 12],  # a little less for a while
        [1, 0, 2, 1, 1, 7],  # too few to tell
        [20, 60, 15, 70, 22, 65],  # a board that always swings
        [20, 24, 18, 75],  # too young
        [20, 24, 18, 22, 75, 21],  # the surge is over
    ],
)
def test_ordinary_counts_raise_no_alarm(opened: list[int]) -> None:
    assert hiring_change(pulls(opened)) is None


def test_alarms_are_rare_where_nothing_changes() -> None:
    """Under counts of one ever same, overdispersed rate fewer than one of 100 dates alarms."""
    rng = random.Random(7)
    alarms = tests = 0
    for _ in range(150):
        mean = rng.choice([8, 20, 60, 150])
        rates = [rng.gammavariate(1 / 0.15, mean * 0.15) for _ in range(11)]
        opened = [sum(1 for _ in range(int(rate * 4)) if rng.random() < 0.25) for rate in rates]
        for size in range(5, 12):
            tests += 1
            alarms += hiring_change(pulls(opened[:size])) is not None
    assert tests == 1050
    assert alarms <= tests / 100


def test_daily_pulls_are_gathered_into_weeks() -> None:
    found = windows(pulls([1] * 70, days=1))
    assert [window.opened for window in found] == [21, 21, 21]


def test_what_the_first_pull_lists_was_not_opened_by_it() -> None:
    assert windows(pulls([])) == []
    assert sum(window.opened for window in windows(pulls([3, 4]))) == 7


def posting(
    title: str, day: int, *, city: str = "Springfield", nation: str = "US", **more: Any
) -> PostingSeen:
    values: dict[str, Any] = {
        "board": BOARD, "title": title, "seniority": None, "department": None, "remote": None,
        "places": ((nation, city),), "technologies": (), "description": "", "posted_at": None,
        "url": "https://jobs.example/1", "document_id": None, "closed_at": None,
    }  # fmt: skip
    return PostingSeen(**(values | {"first_seen_at": START + timedelta(days=day)} | more))


KNOWN = {"technologies": ("Looker",), "description": "You know Looker."}
PAST = [posting(f"Fitter {n}", n, **KNOWN) for n in range(30)]


def reported(
    new: list[PostingSeen], *, past: list[PostingSeen] = PAST
) -> dict[SignalType, list[str]]:
    found: dict[SignalType, list[str]] = {}
    for each in postings.read([*past, *new], pulls([5] * 5), ACME):
        found.setdefault(each.type, []).append(each.title)
    return found


def test_a_new_city_needs_three_openings() -> None:
    three = [posting(f"Clerk {n}", 140, city="Oslo", nation="NO") for n in range(3)]
    assert reported(three)[SignalType.EXPANDS_TO] == [
        "Acme Widget Corporation begins to hire in Norway (3 postings)"
    ]
    assert reported(three[:2]) == {}
    assert SignalType.EXPANDS_TO not in reported(three, past=PAST[:5])
    dallas = [posting(f"Clerk {n}", 140, city="Dallas") for n in range(3)]
    assert reported(dallas)[SignalType.OPENS_NEW_LOCATION] == [
        "Acme Widget Corporation begins to hire in Dallas (3 postings)"
    ]
    assert (
        reported([posting(f"C {n}", 140, city="Dallas", remote="remote") for n in range(3)]) == {}
    )


def test_a_city_is_new_only_where_places_are_known_and_for_jobs_that_are_there() -> None:
    three = [posting(f"Clerk {n}", 140, city="Dallas") for n in range(3)]
    hybrid = [posting(f"Fitter {n}", n, city="Springfield" if n < 9 else "") for n in range(30)]
    assert reported(three, past=hybrid) == {}
    anywhere = tuple(("US", city) for city in ("Dallas", "Reno", "Springfield"))
    assert reported([posting(f"Clerk {n}", 140, places=anywhere) for n in range(3)]) == {}
    moving = [posting(f"Clerk {n} (Springfield)", 140, nation="NO", city="Oslo") for n in range(3)]
    assert reported(moving) == {}


def test_senior_roles_open_after_the_first_pull() -> None:
    new = posting("Chief Financial Officer", 140, seniority="c_suite")
    assert reported([new])[SignalType.SENIOR_ROLE_OPENED] == [
        "Acme Widget Corporation opens a senior role: Chief Financial Officer"
    ]
    assert reported([posting("Chief Financial Officer", 0, seniority="c_suite")]) == {}
    bank = [posting(f"Vice President {n}", 140, seniority="vp") for n in range(20)]
    assert reported(bank) == {}
    svp = posting("SVP, Widgets", 140, seniority="vp")
    assert reported([svp])[SignalType.SENIOR_ROLE_OPENED] == [
        "Acme Widget Corporation opens a senior role: SVP, Widgets"
    ]


@pytest.mark.parametrize(
    ("title", "leads"),
    [
        ("CEO", True),
        ("Deputy CFO, Europe", True),
        ("VP of Engineering and CTO", True),
        ("Managing Director (MD)", True),
        ("Chief of Staff, CEO", False),
        ("CEO Communications Manager", False),
        ("Director, Executive Communications (COO)", False),
        ("Account Executive, MD/VA/DC", False),
        ("Business Partner, Office of the CFO", False),
    ],
)
def test_who_works_for_a_leader_is_none(title: str, leads: bool) -> None:
    found = reported([posting(title, 140, seniority="c_suite")])
    assert (SignalType.SENIOR_ROLE_OPENED in found) == leads


def test_a_technology_is_named_for_the_first_time() -> None:
    text = "You fit widgets. You know Snowflake, Python and Looker well. You are kind."
    named = ("Python", "Looker", "Snowflake", "machine learning", "SEO")
    new = posting("Engineer", 140, technologies=named, description=text)
    [found] = postings.read([*PAST, new], pulls([5] * 5), ACME)
    assert found.type == SignalType.TECHNOLOGY_MENTIONED_IN_JOB
    assert found.quote == "You know Snowflake, Python and Looker well."
    assert found.counterparty == "snowflake"
    titles_alone = [posting(f"Fitter {n}", n) for n in range(30)]
    assert reported([new], past=titles_alone) == {}


PAGE = "https://acmewidget.example/"
IDS = [UUID(int=n) for n in range(100, 110)]


def version(n: int, day: int, *, checked: int | None = None, parser: int = 1) -> Version:
    last = START + timedelta(days=checked) if checked is not None else None
    return Version(IDS[n], PAGE, PAGE, "website", parser, START + timedelta(days=day), last)


def fact(
    field: str, value: Any, n: int, day: int, *, gone: bool = False, as_of: date | None = None,
    source: str = "website", parser: int = 1,
) -> FactSeen:  # fmt: skip
    at = START + timedelta(days=day)
    return FactSeen(
        field, "", value, source, IDS[n], PAGE, None, "script: shop.js", 0.9, as_of, at,
        at if gone else None, parser, at,
    )  # fmt: skip


SHOP = {"name": "Shopware"}


def test_a_technology_is_added_between_two_versions() -> None:
    versions = [version(0, 0), version(1, 30)]
    [found] = technologies.read([fact("technology", SHOP, 1, 30)], versions, ACME)
    assert (found.type, found.title) == (
        SignalType.TECHNOLOGY_ADDED,
        "Acme Widget Corporation starts to use Shopware",
    )
    assert technologies.read([fact("technology", SHOP, 0, 0)], versions, ACME) == []
    newer_parser = [version(0, 0), version(1, 30, parser=2)]
    assert technologies.read([fact("technology", SHOP, 1, 30, parser=2)], newer_parser, ACME) == []


def test_a_technology_is_removed_when_two_visits_miss_it() -> None:
    gone = [fact("technology", SHOP, 0, 0, gone=True)]
    once = [version(0, 0), version(1, 30, checked=30)]
    assert technologies.read(gone, once, ACME) == []
    twice = [version(0, 0), version(1, 30, checked=60)]
    assert [each.type for each in technologies.read(gone, twice, ACME)] == [
        SignalType.TECHNOLOGY_REMOVED
    ]
    still = [*gone, fact("technology", SHOP, 2, 30)]
    assert technologies.read(still, twice, ACME) == []


def test_a_new_chief_in_the_place_of_the_old_one() -> None:
    facts = [fact("ceo", "Ann Castor", 0, 0, gone=True), fact("ceo", "Dorian Ellis", 1, 30)]
    [found] = field_changes.read(facts, ACME)
    assert found.type == SignalType.HIRES
    assert found.title == (
        "Dorian Ellis is chief executive of Acme Widget Corporation in place of Ann Castor"
    )
    same = [fact("ceo", "Ann Castor", 0, 0, gone=True), fact("ceo", "Ann B. Castor", 1, 30)]
    assert field_changes.read(same, ACME) == []


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        (1000, 1200, SignalType.HEADCOUNT_INCREASE),
        (1000, 850, SignalType.HEADCOUNT_DECREASE),
        (1000, 1050, None),
        (1000, 12000, None),  # another thing was counted
    ],
)
def test_headcounts_of_two_years(old: int, new: int, kind: SignalType | None) -> None:
    facts = [
        fact("employees", old, 0, 0, as_of=date(2022, 12, 31), source="sec_edgar"),
        fact("employees", new, 1, 30, as_of=date(2023, 12, 31), source="sec_edgar"),
    ]
    assert [each.type for each in field_changes.read(facts, ACME)] == ([kind] if kind else [])


TOPICS = ("raw steel", "our plants", "the seasons", "trade rules", "our lenders", "key people",
          "old patents", "large clients", "the weather", "data theft")  # fmt: skip


def report(topics: tuple[str, ...], year: int) -> EvidenceDocument:
    text, spans = "Item 1A. Risk Factors.\n", []
    for topic in topics:
        caption = f"Trouble with {topic} could harm our business and results."
        body = " ".join(
            f"{topic} {word} differ" for word in f"{topic} can {topic[::-1]} at any time".split()
        )
        start = len(text)
        text += f"{caption}\n{body}\n"
        spans.append(Span(start, len(text), "1A", caption))
    return EvidenceDocument(
        uuid4(), "https://www.sec.example/k", "sec_edgar", "filing", f"10-K for {year}-12-31",
        datetime(year + 1, 2, 1, tzinfo=UTC), datetime(year + 1, 2, 2, tzinfo=UTC), 1, text, tuple(spans),
    )  # fmt: skip


def test_a_risk_that_the_report_before_did_not_state() -> None:
    newer = report((*TOPICS[:9], "synthetic widgets made by machines that think"), 2023)
    found = risk_changes.read(newer, report(TOPICS[:9], 2022), ACME)
    assert [each.type for each in found] == [SignalType.NEW_RISK_FACTOR]
    assert "machines that think" in found[0].quote
    assert newer.text[found[0].start : found[0].end] == found[0].quote
    assert risk_changes.read(report(TOPICS[:9], 2023), report(TOPICS[:9], 2022), ACME) == []


def test_an_item_written_anew_tells_nothing() -> None:
    newer = report(tuple(f"matter of {word[::-1]}" for word in TOPICS), 2023)
    assert risk_changes.read(newer, report(TOPICS, 2022), ACME) == []
