"""JSON and JSON Lines as rows: finds the list of records, wherever it is nested."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from sightline.imports.json_stream import JsonIsBroken, JsonStream
from sightline.imports.opening import open_text
from sightline.imports.rows import (
    READ_ERRORS,
    Cell,
    FileIsNotReadable,
    RecordList,
    Row,
    RowProblem,
    Shape,
    clean_cell,
)

_SAMPLED = 50  # records per list that are looked at to choose among several
_SAMPLED_LINES = 500  # of JSON Lines, whose columns are taken
_DEEPEST = 6
_FEWEST_MEMBERS = 2  # an object of objects is a list from here on
_LEAST_WORTH_OF_MEMBERS = 1.2  # a name alone does not make the parts of an object companies
_LONGEST_LIST_IN_CELL = 100
_TEXT_COLUMN = "value"

Path_ = tuple[str, ...]
Judge = Callable[[list[Row]], float]


@dataclass
class _Candidate:
    """A list of records found in a document: at `path`, in an array or in the members of an object."""

    path: Path_
    kind: str  # 'array', 'object' or 'document'
    count: int = 0
    sample: list[object] = field(default_factory=list)

    def add(self, record: object) -> None:
        self.count += 1
        if len(self.sample) < _SAMPLED:
            self.sample.append(record)


def open_json(path: Path, encoding: str, judge: Judge) -> RecordList:
    """Find the list of records in a document. `judge` says how much a sample looks like companies."""
    with open_text(path, encoding) as text:
        try:
            candidates = _candidates(JsonStream(text))
        except JsonIsBroken as error:
            raise FileIsNotReadable(f"{path.name} is not valid JSON: {error}.") from error
        except READ_ERRORS as error:
            raise FileIsNotReadable(f"{path.name} is damaged: {error}.") from error
    best = max(candidates, key=lambda candidate: _worth(candidate, judge), default=None)
    if best is None or (best.kind != "array" and not _worth(best, judge)[0]):
        raise FileIsNotReadable(f"{path.name} contains no list of companies.")

    def read() -> Iterator[Row | RowProblem]:
        with open_text(path, encoding) as text:
            records = _records_at(JsonStream(text), best)
            yield from _filled(row_of(*each) for each in enumerate(records, start=1))

    place = ".".join(best.path) or "top"
    return RecordList(
        _columns(_sample_rows(best.sample)),
        {"format": "JSON", "encoding": encoding, "list": place, "header": True},
        read,
        (JsonIsBroken, *READ_ERRORS),
        "the JSON is invalid after element {}; nothing after it was read",
    )


def open_json_lines(path: Path, encoding: str) -> RecordList:
    """A JSON Lines file; its columns are those of the first rows."""

    def read() -> Iterator[Row | RowProblem]:
        with open_text(path, encoding) as stream:
            lines = ((n, line) for n, line in enumerate(stream, start=1) if line.strip())
            yield from _filled(_row_of_line(*each) for each in lines)

    shape: Shape = {"format": "JSON Lines", "encoding": encoding, "header": True}
    first = islice(RecordList((), shape, read).rows(), _SAMPLED_LINES)
    return RecordList(_columns([row for row in first if isinstance(row, Row)]), shape, read)


def _row_of_line(number: int, line: str) -> Row | RowProblem:
    try:
        return row_of(number, json.loads(line))
    except (ValueError, RecursionError) as error:
        return RowProblem(number, "", f"not JSON: {error}", clean_cell(line[:200]))


def _filled(items: Iterable[Row | RowProblem]) -> Iterator[Row | RowProblem]:
    return (item for item in items if isinstance(item, RowProblem) or item.cells)


def is_json_lines(sample: str) -> bool:
    """Whether the first line of a text is a JSON value by itself and the next begins like another."""
    lines = [line.strip() for line in sample.splitlines() if line.strip()]
    if not lines or lines[0][0] not in "{[" or (lines[0][0] == "[" and len(lines) < 2):
        return False
    try:
        first = json.loads(lines[0])
    except (ValueError, RecursionError):
        return False
    if len(lines) == 1:
        return False
    return isinstance(first, dict | list) and lines[1][0] == lines[0][0]


def _worth(candidate: _Candidate, judge: Judge) -> tuple[float, int]:
    rows = _sample_rows(candidate.sample)
    worth = judge(rows) if rows else 0.0
    if candidate.kind != "array" and worth < _LEAST_WORTH_OF_MEMBERS:
        worth = 0.0
    return (round(worth, 1), candidate.count)


def _sample_rows(records: list[object]) -> list[Row]:
    return [row for row in rows_of(records) if row.cells]


def _columns(rows: list[Row]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for row in rows for name in row.cells))


def _candidates(stream: JsonStream) -> list[_Candidate]:
    """Every list of the document, and the document itself as a single record."""
    if stream.peek() == "[":
        top = _Candidate((), "array")
        for element in _until_broken(stream.elements()):
            top.add(element)
            if top.count >= _SAMPLED:
                break
        return [top] if top.count else []
    if stream.peek() != "{":
        raise JsonIsBroken("neither an array nor an object")
    found: list[_Candidate] = []
    document = _walk(stream, (), found)
    found.append(_Candidate((), "document", 1, [document]))
    return found


def _until_broken(elements: Iterator[object]) -> Iterator[object]:
    count = 0
    try:
        for element in elements:
            count += 1
            yield element
    except JsonIsBroken:
        if not count:
            raise


def _walk(stream: JsonStream, path: Path_, found: list[_Candidate]) -> dict[str, object]:
    """Go through an object, note its lists, and give what of it fits a single record."""
    kept: dict[str, object] = {}
    members = _Candidate(path, "object")
    others = 0
    for key in stream.members():
        opening = stream.peek()
        if opening == "{" and len(path) < _DEEPEST:
            inner = _walk(stream, (*path, key), found)
            members.add(inner)
            if len(kept) < 200:
                kept[key] = inner
        elif opening == "[":
            array = _Candidate((*path, key), "array")
            for element in stream.elements():
                array.add(element)
            if array.count:
                found.append(array)
                if array.count <= _LONGEST_LIST_IN_CELL:
                    kept[key] = array.sample
        else:
            kept[key] = stream.value()
            others += 1
    if members.count >= _FEWEST_MEMBERS and members.count > others and _are_alike(members.sample):
        found.append(members)
    return kept


def _are_alike(records: list[object]) -> bool:
    """Whether objects have mostly the same keys: then they are records, not parts of one thing."""
    keys = [set(record) for record in records if isinstance(record, dict)]
    first = keys[0]
    shares = [len(first & other) / max(len(first | other), 1) for other in keys]
    return sum(shares) >= 0.6 * len(shares)


def _records_at(stream: JsonStream, listed: _Candidate) -> Iterator[object]:
    if listed.kind == "document":
        yield stream.value()
        return
    for step in listed.path:
        for key in stream.members():
            if key == step:
                break
            stream.value()
        else:
            return
    if listed.kind == "array":
        yield from stream.elements()
        return
    for key in stream.members():
        value = stream.value()
        if isinstance(value, dict):
            yield {"key": key, **value} if "key" not in value else value


def rows_of(records: Sequence[object]) -> list[Row]:
    """Objects of a request as rows, counted from 1; what is neither object nor text is left out."""
    rows = (row_of(number, record) for number, record in enumerate(records, start=1))
    return [row for row in rows if isinstance(row, Row)]


def row_of(number: int, record: object) -> Row | RowProblem:
    """A record as flat cells: nested keys joined by dots, lists of plain values kept as lists."""
    cells: dict[str, Cell] = {}
    if isinstance(record, dict):
        _flatten(record, "", cells, 0)
    elif isinstance(record, list):
        _flatten({f"column {n}": cell for n, cell in enumerate(record, start=1)}, "", cells, 0)
    elif isinstance(record, str | int | float) and not isinstance(record, bool):
        parts = str(record).split("|")
        names = (
            [_TEXT_COLUMN] if len(parts) == 1 else [f"column {n + 1}" for n in range(len(parts))]
        )
        cells = {n: text for n, p in zip(names, parts, strict=True) if (text := clean_cell(p))}
    elif record is not None:
        return RowProblem(
            number, "", "neither an object nor a string", clean_cell(repr(record)[:200])
        )
    return Row(number, cells)


def _flatten(record: dict[str, object], prefix: str, cells: dict[str, Cell], depth: int) -> None:
    for key, value in record.items():
        name = f"{prefix}{clean_cell(str(key))}"[:200]
        if isinstance(value, dict):
            if depth < _DEEPEST:
                _flatten(value, f"{name}.", cells, depth + 1)
        elif isinstance(value, list):
            _flatten_list(value, name, cells, depth)
        elif value is not None and (text := _text(value)):
            cells[name] = text


def _flatten_list(values: list[object], name: str, cells: dict[str, Cell], depth: int) -> None:
    texts: list[str] = []
    for value in values[:_LONGEST_LIST_IN_CELL]:
        if isinstance(value, dict):
            if depth >= _DEEPEST:
                continue
            inner: dict[str, Cell] = {}
            _flatten(value, f"{name}[].", inner, depth + 1)
            for key, cell in inner.items():
                held = cells.setdefault(key, [])
                if isinstance(held, list):
                    held.extend(cell if isinstance(cell, list) else [cell])
        elif value is not None and not isinstance(value, list) and (text := _text(value)):
            texts.append(text)
    if texts:
        cells[name] = texts


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    try:
        return clean_cell(str(value))
    except ValueError:  # an integer of more digits than Python prints
        return ""
