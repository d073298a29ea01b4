"""People of a report: signature pages, executive officers, proxy statements; and its headcount."""

from datetime import date

import pytest

from sightline.reading.offices import role_of
from sightline.sources.sec_edgar.people import (
    headcount_observations,
    officer_observations,
    read_officers,
)
from sightline.sources.sec_edgar.signatures import read_signatures, signature_observations

PURSUANT = "Pursuant to the requirements of the Securities Exchange Act of 1934, this report has been signed"

BELOW = f"""SIGNATURES

{PURSUANT} on its behalf.

ORCHARD QUAY, INC.

By: | /s/ Ada M. Quill

Ada M. Quill

President and
Chief Executive Officer

Date: | March 1, 2024

POWER OF ATTORNEY

Each person appoints the other.

{PURSUANT} by the following persons.

Signature | Title | Date

/s/ Ada M. Quill | President and Chief Executive Officer (Principal Executive Officer) | March 1, 2024

ADA M. QUILL

/s/ JAY LEE, JR. Jay Lee, Jr. | Vice President and Chief Financial Officer | March 1, 2024

* | Director | March 1, 2024

Carla de Souza

*By: /s/ Jay Lee, Jr., Attorney-in-fact

EXHIBIT INDEX

10.1 | Agreement with John Smith, President
"""

SIDE = f"""{PURSUANT} in the capacities indicated on March 1, 2024.

By | /s/ Dan Orr | By | /s/ Eve Po Lin
Dan Orr | Eve Po Lin
Director | Chief Executive Officer and Director

(Principal Executive Officer)

/s/ Finn McRae
Finn McRae – Director
"""


def test_signature_pages_with_titles_beside_and_below() -> None:
    people = read_signatures(BELOW)
    assert [(one.name, one.title, role_of(one.title)) for one in people] == [
        ("Ada M. Quill", "President and Chief Executive Officer", "officer"),
        ("Jay Lee, Jr.", "Vice President and Chief Financial Officer", "officer"),
        ("Carla de Souza", "Director", "director"),
    ]
    assert {one.signed for one in people} == {date(2024, 3, 1)}


def test_signatures_side_by_side_keep_their_columns() -> None:
    people = {one.name: one for one in read_signatures(SIDE)}
    assert set(people) == {"Dan Orr", "Eve Po Lin", "Finn McRae"}
    assert people["Dan Orr"].title == "Director"
    assert people["Eve Po Lin"].principal_executive
    assert not people["Dan Orr"].principal_executive
    assert people["Finn McRae"].signed == date(2024, 3, 1)


@pytest.mark.parametrize("text", [BELOW, SIDE])
def test_signatures_are_quoted_word_for_word(text: str) -> None:
    observations = signature_observations(text)
    assert [one.value for one in observations if one.field == "ceo"] != []
    for one in observations:
        assert one.quote is not None
        assert one.quote in text


@pytest.mark.parametrize(
    ("first", "second", "chiefs"),
    [
        ("Co-Chief Executive Officer", "Co-Chief Executive Officer", ["Ada M. Quill and Jay Lee"]),
        ("Joint CEO and Chair", "Joint Chief Executive Officer", ["Ada M. Quill and Jay Lee"]),
        ("Chief Executive Officer", "Chief Executive Officer", []),
        ("Co-Chief Executive Officer", "Chief Financial Officer", ["Ada M. Quill"]),
    ],
)
def test_two_who_share_the_office_are_both_chief_executive(
    first: str, second: str, chiefs: list[str]
) -> None:
    text = f"{PURSUANT}\n\n/s/ Jay Lee | {second} | March 1, 2024\nJAY LEE\n\n"
    text += f"/s/ Ada M. Quill | {first} | March 1, 2024\nADA M. QUILL\n"
    seen = signature_observations(text)
    assert [each.value for each in seen if each.field == "ceo"] == chiefs


def test_a_text_without_signatures_has_nobody() -> None:
    assert read_signatures("") == ()
    assert read_signatures("The report was signed by Ada Quill, President.") == ()


OFFICERS = """Information About Our Executive Officers

Name | Age | Position
Ada M. Quill | 58 | President and Chief Executive Officer
Ben Lee, Jr. | 47 | CEO Orchard Care
Total | 58 | President

Board of Directors

Name | Age | Position
Carla de Souza | 66 | Former Chairman, Plum Corporation
Dan Orr | 61 | President, Mill University

ITEM 2. PROPERTIES
"""

PARAGRAPHS = """Executive Officers of the Registrant

Ada M. Quill (age 58) was elected in June 2016 to serve as President and Chief Executive Officer. She is new.

Ben Lee, 47, is Executive Vice President – U.S. Operations, a position he has held since May 2020. It is new.

Carla de Souza, Chief Legal Officer — Ms. de Souza, 50, joined Orchard in 2007. She leads the legal staff.

Finn McRae

49

Chief People Officer

All officers are elected for one-year terms until their successors are elected.

ITEM 2. PROPERTIES

Zoe Park, 44, is Chief of the neighbouring fire department and no officer at all of the company.
"""


def test_officers_in_tables() -> None:
    people = {one.name: one for one in read_officers(OFFICERS)}
    assert set(people) == {"Ada M. Quill", "Ben Lee, Jr.", "Carla de Souza", "Dan Orr"}
    assert (people["Ada M. Quill"].age, role_of(people["Ada M. Quill"].title)) == (58, "officer")
    # What directors do elsewhere is no title here.
    assert people["Dan Orr"].title == people["Carla de Souza"].title == "Director"
    assert [o.value for o in officer_observations(OFFICERS) if o.field == "ceo"] == ["Ada M. Quill"]


def test_officers_in_paragraphs_and_on_lines_of_their_own() -> None:
    people = {one.name: (one.title, one.age, one.since) for one in read_officers(PARAGRAPHS)}
    assert people == {
        "Ada M. Quill": ("President and Chief Executive Officer", 58, 2016),
        "Ben Lee": ("Executive Vice President – U.S. Operations", 47, 2020),
        "Carla de Souza": (
            "Chief Legal Officer",
            50,
            None,
        ),  # in 2007 she joined
        "Finn McRae": ("Chief People Officer", 49, None),
    }
    for one in officer_observations(PARAGRAPHS):
        assert one.quote is not None
        assert one.quote in PARAGRAPHS


def test_a_proxy_statement_names_directors_and_paid_officers() -> None:
    text = """Nominees

Dan Orr

Chair of the Board

Director since 2011

Age: 61

Carla de Souza

(Nominee for Election)

Director Since: 2019

Summary Compensation Table

Name and Principal Position | Year | Salary ($) | Total ($)
Ada M. Quill President and CEO | 2023 | 900,000 | 2,000,000
2022 | 850,000 | 1,900,000
"""
    people = {
        one.name: (one.title, role_of(one.title), one.age, one.since) for one in read_officers(text)
    }
    assert people == {
        "Ada M. Quill": ("President and CEO", "officer", None, None),
        "Dan Orr": ("Chair of the Board", "director", 61, 2011),
        "Carla de Souza": ("Director", "director", None, 2019),
    }


def test_a_chief_executive_on_the_board_keeps_the_office() -> None:
    text = """Nominees

Ada M. Quill

Director since 2011

Age: 61

Summary Compensation Table

Name and Principal Position | Year | Salary ($) | Total ($)
Ada M. Quill Chief Executive Officer | 2023 | 900,000 | 2,000,000
"""
    (one,) = read_officers(text)
    assert (one.title, one.age, one.since) == ("Chief Executive Officer", 61, 2011)
    assert [each.value for each in officer_observations(text) if each.field == "ceo"] == [one.name]


def test_the_headcount_of_a_report_is_quoted() -> None:
    text = "Human Capital\n\nAs of June 30, 2024, we had 4,200 employees.\n"
    (one,) = headcount_observations(text)
    assert (one.field, one.value, one.quote) == (
        "employees", 4200, "As of June 30, 2024, we had 4,200 employees.",
    )  # fmt: skip
