"""Texts become terms by rules of language alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.search.analysis import MAX_TERM, Analyser

analyser = Analyser()


def terms(text: str) -> set[str]:
    return {token.term for token in analyser.tokens(text) if not token.function}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("e-mail", "email"),
        ("COVID-19", "Covid19"),
        ("organisations", "organization"),
        ("behaviour", "behaviors"),
        ("analyses", "analysis"),
        ("haemoglobin", "hemoglobin"),
        ("the company sold", "sells"),
        ("Müller’s", "muller"),
        ("1,250", "1250"),
        ("U.S.", "US"),
        ("data‑driven", "data-driven"),
        ("TNF-α", "tnf alpha"),
        ("FY2024", "FY 2024"),
        ("O'Brien", "OBrien"),
    ],
)
def test_two_spellings_share_a_term(one: str, other: str) -> None:
    assert terms(one) & terms(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("US", "us"), ("1.5", "15"), ("filing", "filling"), ("new", "news"), ("3.5", "3.6")],
)
def test_different_words_stay_apart(one: str, other: str) -> None:
    assert not terms(one) & terms(other)


def test_function_words_take_a_place_but_are_no_terms() -> None:
    words, positions, length, end = analyser.indexed("the price of oil")
    assert (words, positions, length, end) == (["price", "oil"], [1, 3], 2, 4)


def test_a_title_keeps_its_function_words() -> None:
    words, _, _, _ = analyser.indexed("Who we are", keep_function_words=True)
    assert words == ["who", "we", "are"]


def test_text_without_spaces_is_read_in_pairs_of_signs() -> None:
    assert terms("東京電力") == {"東京", "京電", "電力"}


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    for token in analyser.tokens(text):
        assert 0 < len(token.term) <= 2 * MAX_TERM
        assert token.position >= 0
    words, positions, length, end = analyser.indexed(text)
    assert len(words) == len(positions) >= length
    assert all(position < end for position in positions)


@given(st.lists(st.sampled_from(["oil", "price", "e-mail", "the", "US", "rises"]), max_size=30))
def test_the_cache_changes_no_reading(words: list[str]) -> None:
    text = " ".join(words)
    assert analyser.tokens(text) == Analyser().tokens(text)
