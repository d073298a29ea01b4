"""One text is shown once: repeated boilerplate in its newest form, a passage instead of its part."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

from sightline.reading.terms import terms
from sightline.search.duplicates import fingerprint
from sightline.search.indexing import LONGEST_ENCODED, encoded_texts
from sightline.search.retrieve import Match, distinct
from tests.search.stored import stored_passage

RISK = (
    "Our cranes may fail in heavy storms, and the port authority may close every quay of the harbor for"
    " weeks, which would harm our business, our results of operations and our financial condition."
)
TABLE = "Cranes sold by region and harbor district\nLisbon | {} | {}\nSetubal | {} | {}"


def found(number: int, body: str, *, year: int = 2026, document: int = 1) -> Match:
    words, figures = fingerprint(terms(body))
    passage = stored_passage(
        body, number=number, passage_id=UUID(int=number), document_id=UUID(int=document),
        published_at=datetime(year, 2, 1, tzinfo=UTC), simhash=words, figures=figures,
    )  # fmt: skip
    return Match(passage, 1.0 / number, 0.0, frozenset())


def numbers(*matches: Match) -> list[int]:
    return [each.passage.number for each in distinct(matches, 12)]


def test_boilerplate_is_shown_in_its_newest_form() -> None:
    old = found(1, RISK.replace("heavy", "strong"), year=2024, document=1)
    new = found(2, RISK, year=2026, document=2)
    assert numbers(old, new, found(3, "Something else is said here of ships.")) == [2, 3]


def test_a_table_of_another_year_is_another_text() -> None:
    one = found(1, TABLE.format(12, 14, 30, 31), document=1)
    other = found(2, TABLE.format(14, 19, 31, 47), document=2)
    assert numbers(one, other) == [1, 2]


def test_a_passage_stands_for_its_part() -> None:
    assert numbers(found(1, RISK[:60]), found(2, RISK)) == [2]


def test_postings_of_one_title_are_told_apart_by_place() -> None:
    one = found(1, "")
    job = replace(one.passage, origin="job", title="Dredge Pilot", context="Dredge Pilot · Lisbon")
    other = replace(job, number=2, context="Dredge Pilot · Oslo")
    assert numbers(replace(one, passage=job), replace(one, passage=other)) == [1, 2]


def test_the_encoder_reads_the_beginning_below_its_head() -> None:
    (text,) = encoded_texts("Risks", "Item 1A\n" + "x" * 500, RISK * 5, whole=False)
    assert len(text) == LONGEST_ENCODED
    assert text.startswith("Item 1A")
    assert RISK[:100] in text


def test_the_encoder_reads_what_follows_of_a_new_passage() -> None:
    body = "".join(f"{number} " for number in range(160))
    first, second = encoded_texts("Risks", "", body, whole=True)
    assert len(first) == LONGEST_ENCODED
    assert first.removeprefix("Risks\n") + second.removeprefix("Risks\n") == body
    assert encoded_texts("", "", "Short.", whole=True) == ["Short."]
