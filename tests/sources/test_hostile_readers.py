"""Readers of outside bytes and text take time in proportion to what they are given."""

import pytest

from sightline.kit.sandbox.pool import Sandbox
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
    "bodies:read_json", "bodies:read_xml", "bodies:whole_characters", "boards.addresses:boards_in",
    "boards.answers:parse_board", "feeds.parse:parse", "gleif.parse:read_lei_records",
    "boards.greenhouse:parse", "plain_text:one_line", "posting_places:locations_from_text",
    "sec_edgar.filing:document_text", "sec_edgar.people:headcount_observations",
    "sec_edgar.people:read_officers", "sec_edgar.press_release:headline_of", "json_ld:read_json_ld",
)  # fmt: skip


def test_every_reader_is_listed() -> None:
    listed = {
        f"{module}:{name}" for module, names in hostile_readers.listed().items() for name in names
    }
    assert listed == hostile_readers.in_code()
    assert set(CHOSEN) <= listed
    assert len(SHAPES) >= 30


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

    small, large = "a" * 15_000, "a" * 60_000
    assert hostile_readers.compare(quadratic, small, large) is not None
    assert hostile_readers.compare(str.upper, small, large) is None


@pytest.mark.parametrize(
    "shape", ["open comments", "open code comments", "quotes", "escaped quotes"]
)
def test_json_ld_that_is_never_closed(shape: str) -> None:
    assert grows_linearly(read_json_ld, SHAPES[shape], size=20_000)


@pytest.mark.parametrize("reader", ["boards.html:read_page", "boards.greenhouse:parse"])
@pytest.mark.parametrize("shape", ["deep tags", "nested tables", "nested lists", "microdata"])
def test_a_page_of_open_tags(reader: str, shape: str) -> None:
    place = "alone" if reader == "boards.html:read_page" else "json"

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
