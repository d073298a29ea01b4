"""Words with their places, and one stem for the forms of a word."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from sightline.reading.tokens import stem, stems, tokens


def test_tokens_have_their_places() -> None:
    text = "Plum's e-mail: 1,200 cafés_open"
    found = list(tokens(text))
    assert [each.text for each in found] == ["Plum's", "e", "mail", "1", "200", "cafés", "open"]
    assert all(text[each.start : each.end] == each.text for each in found)


@pytest.mark.parametrize(
    "forms",
    [("hire", "hires", "Hiring", "hired"), ("company", "companies", "company's"), ("café", "cafes"),
     ("acquire", "acquired", "acquiring"), ("customer", "Customers", "customers'")],
)  # fmt: skip
def test_forms_of_a_word_share_a_stem(forms: tuple[str, ...]) -> None:
    assert len({stems(form)[0] for form in forms}) == 1


def test_words_of_other_meaning_do_not() -> None:
    assert len({stem(word) for word in ("general", "generate", "newer", "business", "news")}) == 5


def test_threads_may_stem_at_once() -> None:
    words = [f"running{n}s" for n in range(2_000)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(stem, words)) == [f"running{n}s"[:-1] for n in range(2_000)]


@pytest.mark.parametrize("unit", ["a", "'", "a'", "é", "_", " "])
def test_hostile_text_is_read_in_linear_time(unit: str) -> None:
    began = time.process_time()
    stems(unit * (200_000 // len(unit)))
    assert time.process_time() - began < 5.0
