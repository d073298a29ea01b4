"""How texts become terms."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.reading.terms import Sought, counted, terms, written_terms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("acquires", "acquired"), ("Größe", "grösse"), ("U.S.", "US"), ("10,000", "10000"),
        ("the company\u2019s", "the company's"), ("company's", "company"), ("R&D", "r&d"), ("Café", "cafe"),
        ("WeSew™", "wesew"), ("WeSew℠,", "WeSew"),
    ],
)  # fmt: skip
def test_one_word_in_two_spellings(one: str, other: str) -> None:
    assert terms(one) == terms(other)


def test_no_word_is_dropped() -> None:
    assert terms("How much of it do they make?") == [
        "how",
        "much",
        "of",
        "it",
        "do",
        "they",
        "make",
    ]


def test_a_hyphen_parts_and_joins() -> None:
    assert terms("e-commerce sites") == ["e", "commerc", "site", "ecommerc"]


def test_ideographs_are_found_by_pairs() -> None:
    assert terms("港口公司") == ["港口", "口公", "公司"]


def test_terms_are_named_as_they_are_written() -> None:
    assert dict(written_terms("Who acquired Quay's docks?"))["quay"] == "Quay's"


@given(st.text(max_size=200))
def test_any_text_has_terms_without_white_space(text: str) -> None:
    assert counted(text) == Counter(terms(text))
    some = terms(text)[::2]
    assert Sought(some).counted(text) == {term: counted(text)[term] for term in some}
    assert all(term and not any(c.isspace() for c in term) for term in terms(text))
