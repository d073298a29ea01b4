"""How quotes are weighed, on invented passages."""

from datetime import UTC, datetime
from uuid import UUID

from sightline.assistant.weighing import Quote, answered, asked_for, lexical_share, weigh
from sightline.search.evidence import Passage

NO = UUID(int=1)


def quote(text: str, *, cosine: float, share: float) -> Quote:
    passage = Passage(
        "1", NO, NO, "filing", "Annual report", "", None, datetime(2025, 1, 1, tzinfo=UTC), text,
        0, len(text), "", 0.5, (),
    )  # fmt: skip
    return Quote(passage, text, text, cosine, share, cosine)


def test_the_share_counts_rare_words_more_and_takes_the_best_wording() -> None:
    weights = {"depot": 3.0, "how": 0.5, "mani": 0.5}
    assert lexical_share("Our depots", [["how", "mani", "depot"]], weights) == 0.75
    assert lexical_share("Our depots", [["how", "mani"], ["depot"]], weights) == 1.0
    assert lexical_share("Our depots", [[]], weights) == 0.0


def test_of_like_quotes_a_question_for_a_number_prefers_the_one_with_a_number() -> None:
    plain = quote("We run depots in several large harbors.", cosine=0.5, share=0.5)
    counted = quote("We run 41 depots in several large harbors.", cosine=0.5, share=0.5)
    found = weigh([plain, counted], [["depot"]], {"depot": 1.0}, {"number": 0.9})
    assert found[0].quote is counted


def test_a_quote_that_is_nearer_weighs_more_and_makes_an_answer_likelier() -> None:
    near, far = quote("Depots.", cosine=0.8, share=0.9), quote("Harbors.", cosine=0.1, share=0.0)
    found = weigh([far, near], [["depot"]], {"depot": 1.0}, {"text": 1.0})
    assert found[0].quote is near
    alone = weigh([far], [["depot"]], {"depot": 1.0}, {"text": 1.0})
    assert answered(found, asked_for({}, 0)) > answered(alone, asked_for({}, 0))


def test_nothing_to_weigh() -> None:
    assert weigh([], [["depot"]], {}, {}) == []
