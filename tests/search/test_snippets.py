"""What is shown of a passage is a part of it, word for word."""

from hypothesis import given
from hypothesis import strategies as st

from sightline.search.analysis import Analyser
from sightline.search.snippets import best_span, sentences

analyser = Analyser()


def shown(text: str, terms: dict[str, float], size: int = 80) -> str:
    span = best_span(text, terms, analyser, max_characters=size)
    return text[span.start : span.end]


def test_the_sentence_with_the_words_is_shown() -> None:
    text = "We make pumps. In March Mr. Ito opened a plant in Porto. Pumps are blue."
    assert shown(text, {"plant": 2.0, "porto": 3.0}) == "In March Mr. Ito opened a plant in Porto."


def test_neighbouring_sentences_are_shown_together_when_both_answer() -> None:
    text = "The plant opened. It is in Porto. Nothing else happened there in that whole year."
    assert shown(text, {"plant": 1.0, "porto": 1.0}) == "The plant opened. It is in Porto."


def test_without_a_word_the_beginning_is_shown() -> None:
    text = (
        "First things first. Then more. And then a long sentence that will not fit any more here."
    )
    assert shown(text, {}, 40) == "First things first. Then more."


def test_a_line_ends_a_sentence() -> None:
    assert [s.start for s in sentences("Overview\nWe make pumps.\n\nHistory")] == [0, 9, 25]


@given(st.text(max_size=400), st.integers(10, 120))
def test_a_span_is_within_the_text_and_the_length(text: str, size: int) -> None:
    span = best_span(text, {"a": 1.0}, analyser, max_characters=size)
    assert 0 <= span.start <= span.end <= len(text)
    assert span.end - span.start <= size
    if text.strip():
        assert text[span.start : span.end].strip()


def test_a_heading_or_a_reference_is_shown_only_where_nothing_else_says_it() -> None:
    terms = {"store": 1.0, "closur": 1.0}
    for unsaying in ("Store Closures", "For more information on store closures, see Note 4."):
        text = f"{unsaying}\nWe closed 40 stores that lost money this year."
        assert shown(text, terms).endswith("We closed 40 stores that lost money this year.")
        assert shown(f"{unsaying}\nNothing else of it.", terms).startswith(unsaying)


def test_a_row_with_its_figure_says_something() -> None:
    text = "Pumps made\nPumps made | 5,792 | 4,990\nWe care about pumps a great deal."
    assert shown(text, {"made": 2.0, "pump": 1.0}, 40) == "Pumps made | 5,792 | 4,990"
