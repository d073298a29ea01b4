"""Titles are made of what is known; where a side is not, the sentence is the title (`test_documents`)."""

from uuid import UUID

import pytest

from sightline.domain.mentions import NamedCompany, SignalAmount, SignalParty
from sightline.domain.signals import PartyRole, Realis, SignalType
from sightline.signals.names import companies_in, is_term, thing_in
from sightline.signals.wording import title_of

T = SignalType
ORRIN = NamedCompany(UUID(int=1), "Orrin Networks")
SUM = SignalAmount(22e6, "GBP")


def title(
    type: SignalType, *parties: SignalParty, realis: Realis = "happened",
    amount: SignalAmount | None = None,
) -> str:  # fmt: skip
    return title_of(type, parties, ORRIN, realis=realis, amount=amount)


def own(role: PartyRole) -> SignalParty:
    return SignalParty(role, ORRIN.name)


def test_what_is_known_is_said() -> None:
    investor = SignalParty("investor", "Tallis Ventures")
    assert title(T.RECEIVES_FINANCING, own("recipient"), investor, amount=SUM) == (
        "Orrin Networks receives financing from Tallis Ventures for £22M"
    )
    assert (
        title(T.LAYOFFS, own("employer"), realis="planned") == "Orrin Networks is to lay off staff"
    )
    assert title(T.LAUNCHES, own("company"), SignalParty("product", "Sextant 6")) == (
        "Orrin Networks launches Sextant 6"
    )


def test_several_actors_are_plural() -> None:
    both = (own("developer"), SignalParty("developer", "Pell"), SignalParty("product", "Sextant"))
    assert title(T.IS_DEVELOPING, *both) == "Orrin Networks and Pell are developing Sextant"


@pytest.mark.parametrize(
    ("sentence", "thing"),
    [
        ("Orrin Networks today launched Sextant 6, which plans routes.", "Sextant 6"),
        ("In March Orrin Networks brought Sextant to Madrid, said Ann Lee.", "Sextant"),
        ("Orrin Networks showed Sextant and Harrier.", None),
        ("Orrin Networks Brings New Routes Home", None),
        ("We launched a new service for farmers.", None),
    ],
)
def test_the_one_name_of_a_sentence_is_the_thing(sentence: str, thing: str | None) -> None:
    assert thing_in(sentence, ORRIN) == thing


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
