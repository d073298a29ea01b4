"""Postings of boards whose responses are objects: one table of paths per board, one reader for all."""

from collections.abc import Iterator, Mapping
from typing import Any

from lxml import etree

from sightline.domain.postings import ParsedPosting, PostingLocation
from sightline.reading.times import parse_time
from sightline.sources.posting_build import build
from sightline.sources.posting_pay import salary_from_parts
from sightline.sources.posting_places import location_from_parts
from sightline.sources.posting_terms import employment_type, remote_policy
from sightline.sources.values import at, integer, markup, number, text

Paths = Mapping[str, str]
"""Where an answer has the parts of a posting, named as `build` names them: "categories/team" is a step
down, "id|uuid" one or the other, "-" nowhere; `salary` is four paths: least, most, currency, period."""


def posting(row: Any, paths: Paths, **read: Any) -> ParsedPosting | None:
    """The posting of a row. `read` are parts that the board's own reader made, in place of a path."""
    pay = [_steps(path) for path in paths.get("salary", "").split()]
    parts: dict[str, Any] = {
        "department": words(row, paths.get("department")),
        "employment": employment_type(*_said(row, paths.get("employment"))),
        "remote": remote_policy(*_said(row, paths.get("remote"))),
        "pay_text": words(row, paths.get("pay_text")),
        "description": first_markup(row, paths.get("description")),
        "language": words(row, paths.get("language")),
        "posted_at": _moment(row, paths.get("posted_at")),
        "updated_at": _moment(row, paths.get("updated_at")),
        "openings": integer(row, paths["openings"]) if "openings" in paths else None,
        "requisition_id": words(row, paths.get("requisition_id")),
    }
    if pay:
        low, high = number(row, *pay[0]), number(row, *pay[1])
        currency, period = (text(row, *path) for path in pay[2:])
        parts["salary"] = salary_from_parts(low, high, currency, period)
    parts |= read
    main = [parts.pop(name, None) or words(row, paths.get(name)) for name in ("id", "title", "url")]
    return build(*main, **parts)


def place(
    row: Any, city: str, region: str, country: str, *, raw: str | None = None
) -> PostingLocation | None:
    """The place that parts of a row name."""
    return location_from_parts(words(row, city), words(row, region), words(row, country), raw=raw)


def words(row: Any, path: str | None) -> str | None:
    """The first text that one of the paths leads to."""
    return next(iter(_said(row, path)), None)


def first_markup(row: Any, path: str | None) -> str:
    """The first text with its markup that one of the paths leads to; "" for none."""
    found = (markup(row, *_steps(each)) for each in _either(path))
    return next(filter(None, found), "")


def _said(row: Any, path: str | None) -> list[str]:
    return [said for each in _either(path) if (said := text(row, *_steps(each)))]


def _moment(row: Any, path: str | None) -> Any:
    given = (at(row, *_steps(each)) for each in _either(path))
    return parse_time(next((each for each in given if each), None))


def _either(path: str | None) -> Iterator[str]:
    return iter(path.split("|") if path else ())


def _steps(path: str) -> list[str]:
    return path.split("/") if path != "-" else [""]


def texts_below(element: etree._Element) -> dict[str, str]:
    """The first text of each name below an element, as a row of which paths can be asked."""
    found: dict[str, str] = {}
    for each in element.iter("{*}*"):
        words_of = (each.text or "").strip()
        if words_of and each is not element:
            found.setdefault(etree.QName(each).localname, words_of)
    return found
