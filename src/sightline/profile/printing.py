"""Sections as JSON text, with their sources or without, and back."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from sightline.profile.contract import SectionBody, Statement
from sightline.profile.evidence import Quote

Address = Mapping[str, Any]  # url, title, published_at, fetched_at


def print_body(body: SectionBody, addresses: Mapping[UUID, Address]) -> str:
    """JSON text in which every quote says where it stands."""
    return _text(_with_sources(body, addresses))


def print_plain(body: SectionBody) -> str:
    """JSON text without the sources."""
    return _text(_without_sources(body))


def dated(value: Any, addresses: Mapping[UUID, Address]) -> Any:
    """A section in which every statement has the day of the newest document that it cites."""
    if isinstance(value, list):
        return [dated(each, addresses) for each in value]
    if not isinstance(value, dict):
        return value
    rows = {
        key: each if key == "sources" else dated(each, addresses) for key, each in value.items()
    }
    days = [day for quote in value.get("sources") or () if (day := _day(addresses, quote))]
    return {"as_of": max(days), **rows} if days and "as_of" not in value else rows


def _day(addresses: Mapping[UUID, Address], quote: Quote) -> str | None:
    address = addresses.get(quote.document_id, {})
    moment: datetime | None = address.get("published_at") or address.get("fetched_at")
    return moment.date().isoformat() if moment else None


def read_body(text: str) -> SectionBody:
    """A printed section with its quotes as they were."""
    read: SectionBody = _with_quotes(json.loads(text))
    return read


def quotes_of(body: SectionBody) -> Iterator[Quote]:
    """Every quote of a section, at whatever depth."""
    rows: Iterable[Statement] = [body] if isinstance(body, dict) else body
    for row in rows:
        for key, value in row.items():
            if key == "sources":
                yield from value
            elif isinstance(value, list) and value and isinstance(value[0], dict):
                yield from quotes_of(value)


def _with_sources(value: Any, addresses: Mapping[UUID, Address]) -> Any:
    if isinstance(value, dict):
        return {
            key: _cited(each, addresses) if key == "sources" else _with_sources(each, addresses)
            for key, each in value.items()
        }
    if isinstance(value, list):
        return [_with_sources(each, addresses) for each in value]
    return value


def _cited(quotes: Iterable[Quote], addresses: Mapping[UUID, Address]) -> list[dict[str, Any]]:
    cited: list[dict[str, Any]] = []
    for quote in dict.fromkeys(quotes):
        address = addresses.get(quote.document_id, {})
        row = {
            "document_id": str(quote.document_id),
            "url": address.get("url"),
            "title": address.get("title"),
            "quote": quote.text,
            "published_at": _time(address.get("published_at")),
        }
        cited.append(row | ({"pointer": quote.pointer} if quote.pointer else {}))
    return cited


def _without_sources(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_sources(each) for key, each in value.items() if key != "sources"}
    if isinstance(value, list):
        return [_without_sources(each) for each in value]
    return value


def _with_quotes(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: tuple(Quote(UUID(q["document_id"]), q["quote"], q.get("pointer")) for q in each)
            if key == "sources"
            else _with_quotes(each)
            for key, each in value.items()
        }
    if isinstance(value, list):
        return [_with_quotes(each) for each in value]
    return value


def _time(moment: datetime | None) -> str | None:
    return moment.isoformat().replace("+00:00", "Z") if moment else None


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
