"""Readers of outside bytes and text take time in proportion to what they are given."""

import ast

import pytest

from sightline.kit.sandbox.pool import Sandbox
from sightline.reading.orders import is_order
from sightline.reading.periods import latest_day
from sightline.reading.stated import has_number
from sightline.sources.json_ld import read_json_ld
from sightline.sources.place_words import without_asides
from sightline.sources.sec_edgar.people import read_officers
from sightline.sources.sec_edgar.submission import form_stated
from tests.growth import grows_linearly
from tests.sources import hostile_readers
from tests.sources.hostile_shapes import SHAPES, wrapped

SIZE = 4_000
# Readers that the others call on all that they are given; the rest is for the long run.
CHOSEN = (
    "sources.bodies:read_json", "sources.bodies:read_xml", "sources.bodies:whole_characters",
    "sources.boards.addresses:boards_in", "sources.boards.answers:parse_board",
    "sources.feeds.parse:parse", "sources.gleif.parse:read_lei_records",
    "sources.boards.greenhouse:parse", "sources.plain_text:one_line", "sources.plain_text:plain_text",
    "sources.posting_places:locations_from_text", "sources.posting_terms:remote_from_text",
    "sources.sec_edgar.filing:document_text",
    "sources.sec_edgar.people:headcount_observations", "sources.sec_edgar.people:read_officers",
    "sources.sec_edgar.press_release:headline_of", "sources.json_ld:read_json_ld",
)  # fmt: skip


def test_a_new_reader_is_taken_in_by_itself() -> None:
    """No list is needed: the long run covers every public function that takes outside text."""
    found = hostile_readers.readers()
    assert len(set(found)) == len(found) >= 200
    assert set(CHOSEN) <= set(found)
    source = "def read_it(body: Body) -> None: ...\ndef _inner(text: str) -> None: ...\n"
    assert list(hostile_readers.readers_of(ast.parse(source))) == ["read_it"]
    assert len(SHAPES) >= 30


@pytest.mark.parametrize("reader", hostile_readers.readers())
def test_every_reader_can_be_called(reader: str) -> None:
    """One that needs what the list of arguments lacks would be measured as if it were fast."""
    hostile_readers.arguments_of(reader, "<p>Harbor Analytics opened a plant on March 4, 2024.</p>")


def test_hostile_shapes_take_linear_time() -> None:
    sandbox = Sandbox(size=1, modules=("tests.sources.hostile_readers",))
    try:
        for reader in CHOSEN:
            assert not sandbox.call(hostile_readers.slow_shapes, reader, SIZE, cpu_seconds=60.0)
    finally:
        sandbox.close()


def test_a_reader_of_quadratic_time_is_seen() -> None:
    def quadratic(text: str) -> int:
        return sum(text.count("x", at) for at in range(len(text)))

    small, large = "a" * 30_000, "a" * 120_000
    assert hostile_readers.compare(quadratic, small, large) is not None
    assert hostile_readers.compare(str.upper, small, large) is None


@pytest.mark.parametrize(
    "shape", ["open comments", "open code comments", "quotes", "escaped quotes"]
)
def test_json_ld_that_is_never_closed(shape: str) -> None:
    assert grows_linearly(read_json_ld, SHAPES[shape], size=20_000)


@pytest.mark.parametrize(
    "reader", ["sources.boards.html:read_page", "sources.boards.greenhouse:parse"]
)
@pytest.mark.parametrize("shape", ["deep tags", "nested tables", "nested lists", "microdata"])
def test_a_page_of_open_tags(reader: str, shape: str) -> None:
    place = "alone" if reader == "sources.boards.html:read_page" else "json"

    def make(size: int) -> str:
        return dict(wrapped(SHAPES[shape](size)))[place]

    assert grows_linearly(hostile_readers.call_of(reader), make, size=30_000)


@pytest.mark.parametrize("shape", ["open cdata", "brackets", "round brackets", "lines", "crlf"])
def test_a_place_of_nothing_but_signs(shape: str) -> None:
    assert grows_linearly(without_asides, SHAPES[shape], size=20_000)


@pytest.mark.parametrize("shape", ["lines", "crlf", "blank lines"])
def test_a_submission_of_blank_lines(shape: str) -> None:
    def stated(text: str) -> str | None:
        return form_stated(text.encode())

    assert grows_linearly(stated, SHAPES[shape], size=20_000)


@pytest.mark.parametrize("shape", ["crlf", "lines", "bars", "blank lines", "signature lines"])
def test_a_report_of_nothing_but_signs(shape: str) -> None:
    assert grows_linearly(read_officers, SHAPES[shape], size=20_000)


def test_a_text_of_nothing_but_days() -> None:
    assert grows_linearly(latest_day, SHAPES["dates"], size=8_000)


@pytest.mark.parametrize("shape", ["open cdata", "brackets"])
def test_a_text_of_nothing_but_open_brackets(shape: str) -> None:
    assert grows_linearly(is_order, SHAPES[shape], size=20_000)


@pytest.mark.parametrize("shape", ["item lines", "names and ages"])
def test_a_text_of_nothing_but_numbers_of_names(shape: str) -> None:
    assert grows_linearly(has_number, SHAPES[shape], size=4_000)
