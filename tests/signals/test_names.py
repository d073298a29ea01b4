"""Companies that a sentence names."""

from uuid import UUID

import pytest

from sightline.domain.mentions import NamedCompany
from sightline.signals.names import companies_in, is_term

ORRIN = NamedCompany(UUID(int=1), "Orrin Networks")


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        (
            "Orrin Networks and Mr. Brandt made an amendment (the “Amendment”) with Northquay Robotics.",
            ["Northquay Robotics"],
        ),
        ("In May, Orrin Networks bought Delta Cartage.", ["Delta Cartage"]),
        ("On that day the FAA opened an investigation into Orrin Networks.", ["FAA"]),
        ("Orrin Networks agreed with its Chairman and with the Executives on more.", []),
        ("Orrin Networks buys Dr. Fenn Foods from the Department of Justice.",
         ["Dr. Fenn Foods", "Department of Justice"]),
    ],
)  # fmt: skip
def test_terms_and_offices_are_no_second_parties(sentence: str, names: list[str]) -> None:
    spans = companies_in(sentence, ORRIN)
    assert [
        sentence[start:end] for start, end in spans if not is_term(sentence, start, end)
    ] == names
