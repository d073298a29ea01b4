"""Every reader of outside bytes or text of two rooms, and how much longer it reads more of it.

A public function is one by its first argument. Nothing has to be listed: what is added is read by the long
run, and `test_every_reader_can_be_called` fails until it is known what else it needs.

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

import sightline
from sightline.domain.evidence import Body
from sightline.reading.prose import words_of
from sightline.sources.sec_edgar.plan import Planned
from sightline.sources.website.opening import open_page
from sightline.sources.website.site_pages import Owner
from tests.sources.hostile_shapes import SHAPES, wrapped

ROOMS = ("sources", "reading")
_OUTSIDE = ("Body", "bytes", "str", "str | None")
# First parameters of type str that no outside text is given to: our own names, kinds and vocabularies.
_OURS = frozenset({"base", "cpu_seconds", "family", "form", "kind", "language", "package"})
# Functions whose first argument is ours all the same.
_NO_READERS = frozenset(
    {"sources.parsing:cpu_seconds", "sources.vocabulary:vocabulary",
     "sources.website.document:read_table", "reading.bundled:bundled_hash",
     # Compares what a model said, a few hundred words at most, with its quotes.
     "reading.stated:fault", "reading.bundled:read_bundled", "reading.vectors:cosines"}
)  # fmt: skip
_PLANNED = Planned(
    "annual", "10-K", date(2024, 2, 1), date(2023, 12, 31), "1", "0000000001-24-000001", (),
    "https://www.sec.gov/Archives/edgar/data/1/000000000124000001/a.htm",
)  # fmt: skip
_GIVEN: dict[str, Any] = {
    "planned": _PLANNED, "name": "Harbor Analytics Inc", "newest": True, "exhibit": "EX-99.1",
    "owner": Owner(("harbor.example",), ("Harbor Analytics",)), "start": 0, "language": "en",
    "relation": "direct", "kinds": (), "url": "https://www.sec.gov/a-index.htm", "cik": "1",
    "registered": "Harbor Analytics Inc", "region": "US", "declared": None, "before": (),
    "after": (), "default": "US", "error": ValueError, "names": ("Harbor Analytics",), "facts": (),
    "site": "Harbor Analytics", "links": (), "home": "https://harbor.example/", "today": date(2024, 2, 1),
    "end": 10, "longest": 400, "company": "Harbor Analytics", "said": date(2024, 2, 3), "within": 100,
    "wordings": (("harbor", "revenue"),), "weights": {"harbor": 3.0, "revenue": 1.0},
}  # fmt: skip
_GIVEN_TO = {
    ("sources.vocabulary:names_one_of", "name"): "employment_both_times",
    ("reading.dates:names_day", "day"): date(2024, 2, 1),
    ("reading.dates:names_month", "month"): date(2024, 2, 1),
}
# Further parameters that are outside text: they are given the same.
_AS_WELL = frozenset({"following", "printed", "proof", "text", "title"})
_PAGES = ("alone", "page", "head", "data")
_WRAPS = {
    "reading": ("alone",), "website": _PAGES, "feeds": ("alone", "feed"),
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
def readers() -> tuple[str, ...]:
    """Public functions whose first argument is outside bytes or text, as "room.module:function"."""
    root = Path(sightline.__path__[0])
    found = []
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            module = ".".join(path.relative_to(root).with_suffix("").parts)
            found += [f"{module}:{name}" for name in readers_of(ast.parse(path.read_text()))]
    return tuple(each for each in found if each not in _NO_READERS)


def readers_of(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
            continue
        first = next(iter([*node.args.posonlyargs, *node.args.args]), None)
        if first is None or first.annotation is None or first.arg in _OURS:
            continue
        if ast.unparse(first.annotation) in _OUTSIDE:
            yield node.name


def slow_shapes(reader: str, size: int) -> list[Slow]:
    """Shapes of up to `size` characters that the reader takes more than linear time for. Runs where
    it can be killed."""
    room, _, rest = reader.partition(":")[0].partition(".")
    wanted = _WRAPS.get(rest.partition(".")[0] if room == "sources" else room, ("alone", "json"))
    found = []
    for shape, make in SHAPES.items():
        small = dict(wrapped(make(size // TIMES)))
        for place, text in wrapped(make(size)):
            if place in wanted and (call := _call(reader, place == "alone")):
                slow = compare(call, small[place], text)
                if slow is not None:
                    found.append(Slow(reader, f"{shape}, {place}", size, *slow))
    return found


def call_of(reader: str) -> Callable[[str], object]:
    """The reader as a function of a document's text."""
    call = _call(reader, True)
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


def arguments_of(reader: str, text: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What the reader is called with to read a text. Raises KeyError for an argument not given here."""
    function = _function(reader)
    spec = function.__code__
    names = spec.co_varnames[: spec.co_argcount + spec.co_kwonlyargcount]
    kind = str(function.__annotations__.get(names[0]))
    first: Any = text
    if "Body" in kind:
        first = _body(text)
    elif "bytes" in kind:
        first = text.encode()
    needed = names[1 : spec.co_argcount - len(function.__defaults__ or ())]
    keyed = [
        each for each in names[spec.co_argcount :] if each not in (function.__kwdefaults__ or {})
    ]
    return (
        (first, *(_given(reader, each, first) for each in needed)),
        {each: _given(reader, each, first) for each in keyed},
    )


def _given(reader: str, name: str, first: Any) -> Any:
    if name in _AS_WELL:
        return first
    if name == "opened":
        return open_page(first)
    if name == "words":
        return words_of(first)
    return _GIVEN_TO.get((reader, name)) or _GIVEN[name]


def _function(reader: str) -> Any:
    module, _, name = reader.partition(":")
    return unwrap(getattr(import_module(f"sightline.{module}"), name))


def _call(reader: str, is_alone: bool) -> Callable[[str], object] | None:
    """The reader; None for a wrapped shape where text is read as it is."""
    function = _function(reader)
    kind = str(next(iter(function.__annotations__.values())))
    if "Body" not in kind and "bytes" not in kind and not is_alone:
        return None

    def call(text: str) -> object:
        positional, keyed = arguments_of(reader, text)
        return _used(function(*positional, **keyed))

    return call


def _used(found: object) -> object:
    return list(found) if isinstance(found, Iterator) else found


def _body(text: str) -> Body:
    start = text.lstrip()[:1]
    media_type = "application/json" if start in "{[" else "text/html"
    return Body(
        "https://harbor.example/about", text.encode(), media_type, None, {}, datetime.now(UTC)
    )
