"""What is shown of a passage is a part of it, word for word."""

from hypothesis import given
from hypothesis import strategies as st

from sightline.search.ranking import best_part


def shown(text: str, terms: dict[str, float], size: int = 80) -> str:
    return best_part(text, terms, max_characters=size)


def test_the_sentence_with_the_words_is_shown() -> None:
    text = "We make pumps. In March Mr. Ito opened a plant in Porto. Pumps are blue."
    assert shown(text, {"plant": 2.0, "porto": 3.0}) == "In March Mr. Ito opened a plant in Porto."


def test_neighbouring_sentences_are_shown_together_when_both_answer() -> None:
    text = "The plant opened. It is in Porto. Nothing else happened there in that whole year."
    assert shown(text, {"plant": 1.0, "porto": 1.0}) == "The plant opened. It is in Porto."


def test_headings_and_rows_are_shown_only_where_wanted() -> None:
    text = "Plants in Porto\nThe plant opened.\nPorto | 12"
    terms = {"plant": 1.0, "porto": 2.0}
    assert shown(text, terms).startswith("Plants in Porto")
    assert best_part(text, terms, with_headings=False) == "The plant opened."
    assert best_part("Plants in Porto", terms, with_headings=False) == "Plants in Porto"


def test_without_a_word_the_beginning_is_shown() -> None:
    text = (
        "First things first. Then more. And then a long sentence that will not fit any more here."
    )
    assert shown(text, {}, 40) == "First things first. Then more."


@given(st.text(max_size=400), st.integers(10, 120))
def test_what_is_shown_is_within_the_text_and_the_length(text: str, size: int) -> None:
    part = best_part(text, {"a": 1.0}, max_characters=size)
    assert part in text
    assert len(part) <= size
    if text.strip():
        assert part.strip()
