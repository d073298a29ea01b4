"""Who leads a company: each person once, with the current title. All names invented."""

from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest

from sightline.profile.evidence import Evidence, FactSeen, Signal
from sightline.profile.sections.key_executives import build, rank

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def said(
    name: str,
    title: str | None,
    on: str = "2025-06-01",
    *,
    document: UUID | None = None,
    **more: Any,
) -> FactSeen:
    """A fact about a person, each of a document of its own unless told."""
    value = {"name": name, "title": title} | more
    day = date.fromisoformat(on)
    return FactSeen(
        "person", value, document or uuid4(), f"{name}, {title}", None, 0.9, day, NOW, True
    )


def people(*facts: FactSeen) -> list[tuple[str, str | None]]:
    """Names and titles, as the section lists them."""
    evidence = Evidence(
        company_id=uuid4(), name="Quill", record={}, now=NOW,
        facts=list(facts), documents=[], jobs=[], signals=[],
    )  # fmt: skip
    return [(row["name"], row["title"]) for row in build(evidence)]


def test_one_person_has_one_title_and_the_evidence_of_every_spelling() -> None:
    facts = [
        said("Timothy D. Quill", "Chief Executive Officer", "2025-02-01"),
        said("QUILL TIMOTHY D", "Chief Executive Officer", "2025-03-01"),
        said("Tim Quill", "Chair and CEO", "2025-06-01"),
        said("Tim Quill", "CEO", "2025-01-01"),
    ]
    evidence = Evidence(
        company_id=uuid4(), name="Quill", record={}, now=NOW,
        facts=facts, documents=[], jobs=[], signals=[],
    )  # fmt: skip
    (row,) = build(evidence)
    assert (row["name"], row["title"]) == ("Tim Quill", "Chair and CEO")
    documents = [proof.document_id for proof in row["sources"]]
    assert documents == [facts[2].document_id, facts[1].document_id, facts[0].document_id]


def test_father_and_son_are_two() -> None:
    filing = uuid4()
    assert people(
        said("John H. Quill", "Chairman of the Board", document=filing),
        said("John R. Quill", "Chief Financial Officer", document=filing),
    ) == [("John R. Quill", "Chief Financial Officer"), ("John H. Quill", "Chairman of the Board")]


def test_directors_are_no_executives_unless_nobody_else_is_known() -> None:
    board = [
        said("Ada Marsh", "Director"),
        said("Ben Lee", "Independent Director"),
        said("Cleo Fern", "Director and Member of the Board of Directors"),
    ]
    assert len(people(*board)) == 3
    assert people(*board, said("Dan Orchard", "Controller")) == [("Dan Orchard", "Controller")]


def test_a_leader_who_signs_as_director_on_the_same_day_stays_a_leader() -> None:
    filing = uuid4()
    assert people(
        said("Mark G. Quill", "Director, Chairman of the Board", document=filing),
        said("Mark Quill", "Executive Chairman", document=filing),
    ) == [("Mark Quill", "Executive Chairman")]


def test_who_left_is_not_listed() -> None:
    stays = said("Ada Marsh", "President")
    assert people(stays, said("Ben Lee", "Former Chief Financial Officer")) == people(stays)
    assert people(stays, said("Ben Lee", "Treasurer", "2023-01-01")) == people(stays)
    gone = [
        said("Ben Lee", "Chief Financial Officer", "2025-02-01"),
        said("Benjamin Lee", "Chief Financial Officer", "2025-02-01", until="2025-04-30"),
    ]
    assert people(stays, *gone) == people(stays)
    back = said("Ben Lee", "Chief Operating Officer", "2025-05-31")
    assert ("Ben Lee", "Chief Operating Officer") in people(stays, *gone, back)
    former = [
        said("Ben Lee", "Chief Financial Officer", "2025-02-01"),
        said("Ben Lee", "Former Chief Financial Officer", "2025-05-01"),
    ]
    assert people(stays, *former) == people(stays)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Chief Executive Officer", "Chief Executive Officer of Quill Bank"),
        ("Chairman & CEO", "CEO, Europe"),
        ("President and Chief Executive Officer", "CEO Quill Web Services"),
        ("Chief Executive Officer and Director", "Executive Chairman"),
        ("Interim CEO", "Chief Executive Officer - Grooming"),
        ("CEO, President and Director", "Founder and Director"),
        ("Chief Executive Officer - Grooming", "Chief Financial Officer"),
        ("President", "Chief Financial Officer"),
        ("Chief Financial Officer", "Vice President"),
        ("Senior Director of Accounting", "Chair of the Board"),
        ("Director of Logistics", "Chairman of the Board and Director"),
        ("Lead Independent Chair", "Director"),
        (None, "Lead Independent Director"),
    ],
)
def test_ranks(first: str | None, second: str) -> None:
    assert rank(first) < rank(second)


REPORT = "On March 3, 2025, Quill told of changes among its officers."
FILING = uuid4()


def signal(type_: str, name: str, title: str | None, *, day: str = "2025-03-03") -> Signal:
    return Signal("leadership_moves", type_, f"{name} {type_}", REPORT, FILING, date.fromisoformat(day),
                  ((name, title),))  # fmt: skip


def reported(*facts: FactSeen) -> list[tuple[str, str | None]]:
    """Names and titles with the signals at hand."""
    signals = [
        signal("leaves", "Ingrid Vale", "Chief Financial Officer"),
        signal("hires", "Tor B. Lund", "Executive Vice President and Chief Financial Officer"),
        signal("promotes", "Ole Dahl", "Executive Chairman"),
        signal("retires_from", "Siri Aas", "General Counsel", day="2099-06-30"),
    ]
    evidence = Evidence(uuid4(), "Quill", {}, NOW, facts=list(facts), signals=signals)
    return [(row["name"], row["title"]) for row in build(evidence)]


def test_signals_say_who_came_and_who_left() -> None:
    found = reported(
        said("Ingrid Vale", "Chief Financial Officer", "2025-02-01"),
        said("Ole Dahl", "Chief Operating Officer", "2025-02-01"),
        said("Siri Aas", "General Counsel", "2025-02-01"),
    )
    assert ("Tor B. Lund", "Executive Vice President and Chief Financial Officer") in found
    assert ("Siri Aas", "General Counsel") in found
    assert ("Ole Dahl", "Executive Chairman") in found
    assert "Ingrid Vale" not in {name for name, _ in found}


def test_a_title_is_shown_as_of_the_day_it_was_said() -> None:
    (row,) = build(Evidence(uuid4(), "Quill", {}, NOW, [said("Per Holm", "CEO", "2023-11-01")]))
    assert row["as_of"] == "2023-11-01"


def test_whoever_is_appointed_follows_who_held_the_office() -> None:
    found = reported(
        said("Per Holm", "Chief Financial Officer", "2024-11-01"),
        said("Liv Sand", "Chief Financial Officer, Europe and deputy", "2024-11-01"),
    )
    assert "Per Holm" not in {name for name, _ in found}
    assert "Liv Sand" in {name for name, _ in found}
    later = reported(said("Per Holm", "Chief Financial Officer", "2025-06-01"))
    assert "Per Holm" in {name for name, _ in later}
