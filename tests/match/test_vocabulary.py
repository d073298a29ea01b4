"""The tables of words: what is loaded is what is written down."""

from dataclasses import fields
from importlib.resources import files

import pytest

from sightline.domain.names import fold
from sightline.match.vocabulary import vocabulary
from tests.bench.matching_words import as_json, compiled


def test_the_compiled_tables_are_those_written_down() -> None:
    """Else run `python -m tests.bench.matching_words`."""
    text = files("sightline.match").joinpath("data", "vocabulary.json").read_text(encoding="utf-8")
    made = compiled()
    assert text == as_json(made)
    loaded = vocabulary()
    for each in fields(loaded):
        if each.name not in {"found", "compounds"}:
            assert getattr(loaded, each.name) == getattr(made, each.name), each.name


@pytest.mark.parametrize(
    ("word", "concept"),
    [("τράπεζας", "bank"), ("სამინისტრო", "ministri"), ("विश्वविद्यालय", "universiti")],
)
def test_words_of_many_scripts_mean_the_same(word: str, concept: str) -> None:
    found = vocabulary().native_concept(fold(word))
    assert found is not None
    assert found.name == concept
