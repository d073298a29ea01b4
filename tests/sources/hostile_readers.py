"""Every reader of outside bytes or text of `sightline.sources`, and how much longer it reads more of it.

`tests/bench/hostile_readers.py` is the long run.
"""

import ast
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, date, datetime
from functools import cache
from importlib import import_module
from inspect import unwrap
from pathlib import Path
from typing import Any, NamedTuple

import sightline.sources
from sightline.domain.evidence import Body
from sightline.sources.sec_edgar.plan import Planned
from sightline.sources.website.opening import open_page
from sightline.sources.website.site_pages import Owner
from tests.sources.hostile_shapes import SHAPES, wrapped

READERS = """
boards.ashby: parse
boards.bamboohr: parse
boards.addresses: boards_in
boards.answers: kind_of parse_board
bodies: unpacked read_text read_json json_object whole_characters read_xml script_json
boards.breezy: parse
boards.eightfold: parse
charsets: decode
feeds.parse: parse
feeds.reading: read_feed
gleif.connector: read_record read_legal_form read_parent read_children read_page
gleif.parse: read_lei_records parent_observation child_observations legal_form_observation
boards.greenhouse: parse
boards.hrmdirect: looks_like parse
boards.html: read_page
boards.icims: looks_like parse
boards.jazzhr: looks_like parse
job_boards.reading: read_board_name
boards.job_pages: looks_like parse
boards.jobvite: looks_like parse
boards.lever: parse
boards.neogov: parse
boards.oracle: parse
parsing: cpu_seconds
boards.paylocity: parse
boards.personio: parse
boards.phenom: parse
boards.pinpoint: parse
place_words: place_of without_asides cleared
plain_text: one_line
posting_build: language_code requisition
posting_pay: salary_from_text
posting_places: locations_from_text one_line_keeping_breaks remote_from_location
boards.recruitee: parse
boards.rippling: parse
sec_edgar.candidates: has_title_words
sec_edgar.companyfacts: read_companyfacts
sec_edgar.forms: is_item_title
sec_edgar.error_pages: is_sec_refusal
sec_edgar.filing: read_filing document_text
sec_edgar.form_d: read_form_d
sec_edgar.html_text: html_lines
sec_edgar.index_page: read_index_page
sec_edgar.inline_facts: read_inline_document
sec_edgar.inline_xbrl: read_inline_xbrl
sec_edgar.ownership: read_ownership
sec_edgar.people: read_officers officer_observations headcount_observations
sec_edgar.plain_text: text_lines
sec_edgar.press_release: headline_of
sec_edgar.read_body: refusal read_registrant read_figures read_annual read_quarterly
    read_current read_proxy_statement read_insiders read_offering read_press_exhibit
    read_subsidiary_list read_filing_index
sec_edgar.register: read_register read_tickers
sec_edgar.signatures: read_signatures signature_observations
sec_edgar.stated_website: website_observations release_website_observations
    namespace_observations
sec_edgar.submission: is_submission documents_of form_stated
sec_edgar.submissions: read_submissions
sec_edgar.subsidiaries: read_subsidiaries subsidiary_observations
sec_edgar.written_name: written_name_observations
sec_edgar.xml: root_of
boards.smartrecruiters: parse
boards.teamtailor: parse
website.company_names: copyright_name
website.contacts: e164
website.country: native_city
website.dates: read_moment
website.document: squeeze
json_ld: read_json_ld
website.language: language_of
website.logo: parse_logo
website.opening: open_page
website.page: parse_page read_page
website.people: is_name is_title
website.postal: read_postal_line
website.site_pages: parse_home parse_page parse_site_map
website.sitemap: parse_sitemap
website.walk: take_apart
wikidata.connector: read_item
wikidata.parse: read_search read_labels read_statement_search read_entity read_entities
boards.workable: parse
boards.workday: parse
"""
# Parameters that name outside text; others of type str are addresses, names or ids that are bounded.
_TEXT = frozenset(
    {"text", "source", "content", "given", "value", "html", "line", "sentence", "raw"}
)
_NO_READERS = frozenset({"parsing:cpu_seconds"})
_PLANNED = Planned(
    "annual", "10-K", date(2024, 2, 1), date(2023, 12, 31), "1", "0000000001-24-000001", (),
    "https://www.sec.gov/Archives/edgar/data/1/000000000124000001/a.htm",
)  # fmt: skip
_GIVEN: dict[str, Any] = {
    "planned": _PLANNED, "name": "Harbor Analytics Inc", "newest": True, "exhibit": "EX-99.1",
    "owner": Owner(("harbor.example",), ("Harbor Analytics",)), "start": 0, "language": "en",
    "relation": "direct", "kinds": (), "url": "https://www.sec.gov/a-index.htm", "cik": "1",
    "registered": "Harbor Analytics Inc", "region": "US", "declared": None, "before": (),
    "after": (), "default": "US", "error": ValueError,
}  # fmt: skip
_PAGES = ("alone", "page", "head", "data")
_WRAPS = {
    "website": _PAGES, "feeds": ("alone", "feed"),
    "sec_edgar": ("alone", "filing"), "boards": ("alone", "page", "json", "feed"),
}  # fmt: skip
# What is slower than this at the larger size is compared with a smaller one.
FLOOR_SECONDS = 0.15
TIMES = 4
MOST_TIMES = 9.0  # linear work takes 4 times as long, quadratic work 16 times
_TRIES = 3


class Slow(NamedTuple):
    """A shape that a reader takes more than linear time for, in seconds of processor time."""

    reader: str
    shape: str
    size: int
    seconds: float
    times: float


@cache
def listed() -> dict[str, tuple[str, ...]]:
    """Module below `sightline.sources` -> its readers, as `READERS` says."""
    found: dict[str, tuple[str, ...]] = {}
    module = ""
    for line in READERS.strip().splitlines():
        if not line.startswith(" "):
            module, _, line = line.partition(":")
        found[module] = (*found.get(module, ()), *line.split())
    return found


def readers() -> Iterator[str]:
    for module, names in listed().items():
        for name in names:
            if f"{module}:{name}" not in _NO_READERS:
                yield f"{module}:{name}"


def in_code() -> set[str]:
    """Public functions of `sightline.sources` whose first argument is outside bytes or text."""
    root = Path(sightline.sources.__path__[0])
    found = set()
    for path in root.rglob("*.py"):
        module = ".".join(path.relative_to(root).with_suffix("").parts)
        for node in ast.parse(path.read_text()).body:
            if (
                isinstance(node, ast.FunctionDef)
                and not node.name.startswith("_")
                and node.args.args
            ):
                first = node.args.args[0]
                kind = ast.unparse(first.annotation) if first.annotation else ""
                text = kind in ("str", "str | None") and first.arg in _TEXT
                if kind in ("Body", "bytes") or text:
                    found.add(f"{module}:{node.name}")
    return found


def slow_shapes(reader: str, size: int) -> list[Slow]:
    """Shapes of up to `size` characters that the reader takes more than linear time for. Runs where
    it can be killed."""
    module, _, name = reader.partition(":")
    wanted = _WRAPS.get(module.partition(".")[0], ("alone", "json"))
    found = []
    for shape, make in SHAPES.items():
        small = dict(wrapped(make(size // TIMES)))
        for place, text in wrapped(make(size)):
            if place in wanted and (call := _call(module, name, place == "alone")):
                slow = compare(call, small[place], text)
                if slow is not None:
                    found.append(Slow(reader, f"{shape}, {place}", size, *slow))
    return found


def call_of(reader: str) -> Callable[[str], object]:
    """The reader as a function of a document's text."""
    module, _, name = reader.partition(":")
    call = _call(module, name, True)
    assert call is not None
    return call


def compare(call: Callable[[str], object], small: str, large: str) -> tuple[float, float] | None:
    """Seconds and times as long, where that is more than linear work takes."""
    times = 0.0
    for _ in range(_TRIES):
        seconds = _seconds(call, large)
        if seconds < FLOOR_SECONDS:
            return None
        times = seconds / max(_seconds(call, small), 1e-6)
        if times < MOST_TIMES:
            return None
    return seconds, times


def _seconds(call: Callable[[str], object], text: str) -> float:
    began = time.process_time()
    with suppress(Exception):  # what it refuses, it need not read
        call(text)
    return time.process_time() - began


def _call(module: str, name: str, is_alone: bool) -> Callable[[str], object] | None:
    """The reader with what else it needs; None for a wrapped shape where text is read as it is."""
    function = unwrap(getattr(import_module(f"sightline.sources.{module}"), name))
    spec = function.__code__
    names = spec.co_varnames[: spec.co_argcount + spec.co_kwonlyargcount]
    optional = len(function.__defaults__ or ())
    needed = list(names[1 : spec.co_argcount - optional])
    keyed = [
        each for each in names[spec.co_argcount :] if each not in (function.__kwdefaults__ or {})
    ]
    kind = str(function.__annotations__.get(names[0]))
    if "Body" not in kind and "bytes" not in kind and not is_alone:
        return None

    def call(text: str) -> object:
        first: Any = text
        if "Body" in kind:
            first = _body(text)
        elif "bytes" in kind:
            first = text.encode()
        positional = [open_page(first) if each == "opened" else _GIVEN[each] for each in needed]
        return _used(function(first, *positional, **{each: _GIVEN[each] for each in keyed}))

    return call


def _used(found: object) -> object:
    return list(found) if isinstance(found, Iterator) else found


def _body(text: str) -> Body:
    start = text.lstrip()[:1]
    media_type = "application/json" if start in "{[" else "text/html"
    return Body(
        "https://harbor.example/about", text.encode(), media_type, None, {}, datetime.now(UTC)
    )
