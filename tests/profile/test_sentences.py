"""Which sentences may be shown: whole, standing alone, the company's own, with something specific."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from sightline.profile.evidence import Document, Span
from sightline.profile.sentences import Sentence, is_own, is_specific, names_in
from sightline.reading.prose import has_sentence, is_whole, speaks_of, stands_alone

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def sentences(text: str) -> tuple[Sentence, ...]:
    span = Span(0, len(text), "1", None)
    return Document(
        UUID(int=1), "filing", "test", "https://x.example", "10-K", NOW, NOW, text, (span,)
    ).sentences


@pytest.mark.parametrize(
    "text",
    [
        "the fragment of a sentence that begins in the middle of something.",
        "This is the heading of a table of figures of the year",
        "THE WHOLE OF THIS SENTENCE WAS WRITTEN IN CAPITALS.",
        "For more on our depots in the north, see “Properties” in Item 2.",
        "We named it “Frostline and sent it to every port of the north.",
        "It is short.",
    ],
)
def test_what_is_not_whole(text: str) -> None:
    assert not is_whole(text)


def test_a_sentence_that_points_back_does_not_stand_alone() -> None:
    assert stands_alone("We opened nine depots in Norway.")
    assert not stands_alone("This opened nine depots in Norway.")
    assert not stands_alone("In connection with this plan, we opened nine depots.")
    assert not stands_alone("No other customer brings more than 10% of our sales.")
    assert not stands_alone("As a result, we opened nine depots.")
    assert not stands_alone("The decrease is due to $9 million of lower charges in 2025.")


def test_a_possessive_speaks_of_the_company() -> None:
    assert speaks_of(
        "At the end of 2025, Larkspur’s people were 171 in number.", "Larkspur Freight"
    )
    assert not speaks_of("In 2025 the market for fresh food grew by 4%.", "Larkspur Freight")
    assert not speaks_of("In 2025 the US raised duties on fresh food by 4%.", "Larkspur Freight")


def test_own_sentences_begin_with_the_company_we_or_a_name() -> None:
    text = (
        "Larkspur Freight moves fresh food for growers in the north.\n"
        "In fiscal 2025, we moved more food than in any year before.\n"
        "ColdPilot plans the runs of a week for every lorry of the fleet.\n"
        "The fleet is served by ColdPilot, which plans the runs of a week.\n"
        "Growers in the north pay more for lorries that keep food cold."
    )
    found = [is_own(each, "Larkspur Freight AS") for each in sentences(text)]
    assert found == [True, True, True, False, False]


def test_a_name_is_a_word_that_is_never_written_small() -> None:
    named, plain = sentences(
        "We sell the Frostline to every grower in the north of the land.\n"
        "We sell the Service to every grower who needs the service of a lorry."
    )
    assert (names_in(named), names_in(plain)) == (["Frostline"], [])
    assert is_specific(named, "Larkspur")
    assert not is_specific(plain, "Larkspur")


def test_a_text_has_a_sentence_where_a_line_ends_as_one() -> None:
    assert has_sentence("Notice\nWe opened a plant in Porto.")
    assert has_sentence("第三工場を建設します。")
    assert not has_sentence("SIGNATURES\n/s/ Ida Holm | Chief Executive Officer")
