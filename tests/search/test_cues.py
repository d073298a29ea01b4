"""Cues of material change, on invented sentences."""

import pytest

from sightline.domain.signals import SignalFamily
from sightline.search.analysis import Analyser
from sightline.search.cues import CUES, asked_families, read_weights

analyser = Analyser()
F = SignalFamily


@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("Norvik AS has acquired the maker Bellum in an all-cash deal.", F.MATERIAL_CHANGES),
        ("Ana Prado was named president and will succeed as chief executive in May.", F.LEADERSHIP_MOVES),
        ("Quillon raised $12 million in a Series B round led by Fenwood Partners.", F.FUNDING),
        ("Today the company unveiled Loom 3, a new product now available in Europe.", F.PRODUCT_LAUNCHES),
        ("The retailer will lay off 400 people, a reduction in force of 6 percent.", F.HIRING_TRENDS),
        ("They moved the data platform to Kubernetes in the cloud.", F.TECHNOLOGY_MENTIONS),
        ("Restructuring will close plants, the strategic review says.", F.STRATEGIC_SHIFTS),
        ("A class action lawsuit alleges that a data breach exposed customers.", F.RISK),
    ],
)  # fmt: skip
def test_the_family_of_a_sentence(text: str, family: SignalFamily) -> None:
    weights = read_weights(text, analyser)
    assert max(weights, key=lambda name: weights[name]) is family


def test_every_family_has_cues() -> None:
    assert CUES.keys() == set(SignalFamily)


def test_quiet_text_has_no_cues() -> None:
    assert read_weights("The common stock has a par value of one cent.", analyser) == {}


def test_repeating_a_cue_adds_nothing() -> None:
    once = read_weights("The merger closed.", analyser)
    assert read_weights("The merger, the merger, the merger closed.", analyser) == once


def test_a_request_names_families_or_none() -> None:
    assert asked_families("who is the new CEO", analyser) == {F.LEADERSHIP_MOVES: 1.0}
    assert asked_families("colour of the packaging", analyser) == {}


def test_function_words_are_part_of_a_cue_that_has_them() -> None:
    assert F.LEADERSHIP_MOVES in read_weights("Mr. Ito will step down in May.", analyser)
    assert F.MATERIAL_CHANGES in read_weights("It entered into an agreement with Bellum.", analyser)
    assert F.LEADERSHIP_MOVES in read_weights("Ana Prado was appointed as its chief.", analyser)
    text = "We took several steps, wind farms among them, to transition our consolidated series of tests."
    assert read_weights(text, analyser) == {}
