"""Which look-up a question goes to, with the bundled encoder and the shipped examples."""

import numpy as np
import pytest

from sightline.assistant import routing
from sightline.assistant.lookups import LOOK_UPS
from sightline.assistant.routing import Router, router_for, topics
from sightline.reading.encoder import Encoder, EncoderConfig, EncoderFailed, open_encoder


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    made = open_encoder(EncoderConfig())
    assert made is not None
    return made


def test_every_topic_names_a_look_up_and_no_example_has_two_topics() -> None:
    assert {topic.look_up for topic in topics()} == {
        *LOOK_UPS,
        routing.PROSE,
    }
    said = [example.casefold() for topic in topics() for example in topic.examples]
    assert len(said) == len(set(said))
    assert min(len(topic.examples) for topic in topics()) >= 2


def test_the_stored_vectors_are_of_these_examples(encoder: Encoder) -> None:
    said = [example for topic in topics() for example in topic.examples]
    stored = routing._stored(encoder.name, len(said))
    assert stored is not None, "run python -m training.topics"
    fresh = encoder.encode_now(said[::25], query=True)
    assert np.allclose(np.sum(stored[::25] * fresh, axis=1), 1.0, atol=5e-3)


def test_vectors_of_another_encoder_are_not_taken() -> None:
    assert routing._stored("another", 1) is None


def test_an_example_left_out_still_goes_to_its_topic(encoder: Encoder) -> None:
    """Leave one out over all typed topics: of the questions that are sure, nine in ten go right."""
    said = [(topic.name, one) for topic in topics() for one in topic.examples]
    vectors = encoder.encode_now([one for _, one in said], query=True)
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -1.0)
    sure = right = 0
    for at, (name, _) in enumerate(said):
        by_topic: dict[str, float] = {}
        for (other, _), cosine in zip(said, cosines[at], strict=True):
            by_topic[other] = max(by_topic.get(other, -1.0), float(cosine))
        first, second = sorted(by_topic, key=by_topic.__getitem__, reverse=True)[:2]
        if by_topic[first] >= routing.SURE and (
            by_topic[first] - by_topic[second] >= routing.SURE_LEAD
        ):
            sure += 1
            right += first == name
    assert sure >= 45
    assert right / sure >= 0.9


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("Who is the company's chief financial officer?", "cfo"),
        ("how many people does the company employ", "employees"),
        ("Where is the company's head office?", "headquarters"),
        ("what was the company's revenue last year", "revenue"),
        ("should I buy the company's stock", "advice"),
        ("does the company have an office in Chicago", "offices"),
        ("is there a job in Chicago", "hiring"),
    ],
)
async def test_plain_questions_are_routed(encoder: Encoder, question: str, topic: str) -> None:
    route = await router_for(encoder).read(question)
    assert route is not None
    assert route.topic.name == topic


@pytest.mark.parametrize(
    "question", ["xyzzy", "", "🙂" * 500, "a\x00b", "What colour is the lobby carpet?"]
)
async def test_other_texts_are_routed_nowhere_surely(encoder: Encoder, question: str) -> None:
    route = await router_for(encoder).read(question)
    assert route is None or not route.is_sure


async def test_without_an_answer_of_the_encoder_nothing_is_routed() -> None:
    class Away:
        name = "away"
        dimensions = 384

        async def encode(self, texts: object, *, query: bool = False) -> np.ndarray:
            raise EncoderFailed("away")

        def encode_now(self, texts: object, *, query: bool = False) -> np.ndarray:
            raise EncoderFailed("away")

        async def failure(self) -> str | None:
            return "away"

    assert await Router(Away()).read("Who is the CEO?") is None


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("Who heads up IT at the company?", "cio"),
        ("Who leads IT there these days?", "cio"),
        ("any IT jobs?", "hiring"),
    ],
)
async def test_words_that_only_capitals_tell_apart(
    encoder: Encoder, question: str, topic: str
) -> None:
    route = await router_for(encoder).read(routing.written_out(question))
    assert route is not None
    assert route.topic.name == topic


def test_a_question_in_capitals_alone_stays_as_it_is() -> None:
    assert routing.written_out("WHO RUNS IT?") == "WHO RUNS IT?"
