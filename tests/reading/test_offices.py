"""Offices: which words are one, how they are written, whether they lead the company."""

import pytest

from sightline.reading.offices import is_chief_executive, office_in, role_of, tidy_office
from sightline.reading.people import split_name_and_office


def test_titles() -> None:
    written = "Senior Vice President & Chief Financial Officer"
    assert tidy_office("SVP & CHIEF FINANCIAL OFFICER") == written
    assert is_chief_executive("Chair, President and CEO")
    for part in (
        "CEO Orchard Care",
        "Chief Executive Officer, Plum Europe",
        "Former CEO",
        "Assistant to the CEO",
    ):
        assert not is_chief_executive(part)
    assert role_of("Lead Independent Director") == "director"
    assert role_of("Director of Logistics") == "officer"
    assert split_name_and_office("Ada Quill, Chief Operating Officer") == (
        "Ada Quill",
        "Chief Operating Officer",
    )
    assert split_name_and_office("The company appointed a President") is None


@pytest.mark.parametrize(
    ("sentence", "office"),
    [
        (
            "has served as our Chair since May 2020, and as our President and CEO since June 2021.",
            "Chair, President and CEO",
        ),
        ("is Chief Engineer. He was Vice President, Tools before.", "Chief Engineer"),
        ("was named Executive Vice President – U.S. Stores, a new position.",
         "Executive Vice President – U.S. Stores"),
        ("has been Controller of the Company since 2019.", "Controller"),
        ("grows plums on three farms in Springfield.", None),
    ],
)  # fmt: skip
def test_the_office_that_a_sentence_names_first(sentence: str, office: str | None) -> None:
    assert office_in(sentence) == office


def test_letters_of_an_office_are_written_out() -> None:
    assert tidy_office("S.V.P., Sales") == "Senior Vice President, Sales"
    assert tidy_office("Sr. VP & GC") == "Senior Vice President & General Counsel"
    assert tidy_office("VP of R&D, USA") == "Vice President of R&D, USA"
