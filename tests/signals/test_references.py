"""Sentences of news that go on about the company without its name."""

from uuid import UUID

from sightline.domain.mentions import NamedCompany
from sightline.signals.references import references

COMPANY = NamedCompany(UUID(int=1), "Larkspur Freight", ("Larkspur Freight",))


def told(*texts: str) -> list[list[str] | None]:
    """The words that mean the company in each sentence; None where it goes on about another."""
    found = references(texts, COMPANY)
    return [
        None if spans is None else [text[start:end] for start, end in spans]
        for text, spans in zip(texts, found, strict=True)
    ]


def test_it_and_the_company_mean_the_one_that_was_named() -> None:
    assert told(
        "Larkspur Freight opened a depot in Leeds.",
        "It plans a second one.",
        "The yard is new.",
        "Staff said that the company would hire.",
    ) == [["Larkspur Freight"], ["It"], [], ["company"]]


def test_a_sentence_that_begins_with_another_company_goes_on_about_that_one() -> None:
    assert told(
        "Larkspur Freight sold its depots to Tundra Lines.",
        "Tundra Lines runs 94 of them.",
        "It will close three.",
        "Larkspur keeps its ships.",
        "It has twelve.",
    ) == [["Larkspur Freight"], None, None, ["Larkspur"], ["It"]]


def test_nothing_is_meant_before_the_company_is_named() -> None:
    assert told("It was a cold morning.", "Larkspur Freight cut a shift.") == [
        None,
        ["Larkspur Freight"],
    ]
