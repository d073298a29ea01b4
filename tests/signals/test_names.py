"""Companies that a sentence names."""

from uuid import UUID

import pytest

from sightline.domain.mentions import NamedCompany
from sightline.signals.names import companies_in

ORRIN = NamedCompany(UUID(int=1), "Orrin Networks")


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("In May, Orrin Networks bought Delta Cartage.", ["Delta Cartage"]),
        ("On that day the FAA opened an investigation into Orrin Networks.", ["FAA"]),
        ("Orrin Networks buys Dr. Fenn Foods from the Department of Justice.",
         ["Dr. Fenn Foods", "Department of Justice"]),
    ],
)  # fmt: skip
def test_companies_are_neither_days_nor_terms(sentence: str, names: list[str]) -> None:
    spans = companies_in(sentence, ORRIN)
    assert [sentence[start:end] for start, end in spans] == names
