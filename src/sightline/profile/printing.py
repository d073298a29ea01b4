"""Sections to JSON text, with or without their sources, and back."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from sightline.profile.contract import SectionBody, Statement
from sightline.profile.evidence import Quote

Address = Mapping[str, Any]  # url, title, published_at, fetched_at


def print_body(body: SectionBody, addresses: Mapping[UUID, Address]) -> str:
    """JSON text in which every quote says where it stands."""

    def cited(quotes: Iterable[Quote]) -> list[dict[str, Any]]:
        return [
            _cited(quote, addresses.get(quote.document_id, {})) for quote in dict.fromkeys(quotes)
        ]

    return _text(_walk(body, cited))


def print_plain(body: SectionBody) -> str:
    """JSON text without the sources."""
    return _text(_walk(body, None))


def read_body(text: str) -> SectionBody:
    """A printed section with its quotes as they were."""

    def quoted(rows: Iterable[Mapping[str, Any]]) -> tuple[Quote, ...]:
        return tuple(Quote(UUID(q["document_id"]), q["quote"], q.get("pointer")) for q in rows)

    read: SectionBody = _walk(json.loads(text), quoted)
    return read


def dated(value: Any, addresses: Mapping[UUID, Address]) -> Any:
    """A section in which every statement has the day of the newest document that it cites."""
    if isinstance(value, list):
        return [dated(each, addresses) for each in value]
    if not isinstance(value, dict):
        return value
    rows = {
        key: each if key == "sources" else dated(each, addresses) for key, each in value.items()
    }
    moments = [moment_of(addresses.get(q.document_id, {})) for q in value.get("sources") or ()]
    days = [moment.date().isoformat() for moment in moments if moment is not None]
    return {"as_of": max(days), **rows} if days and "as_of" not in value else rows


def moment_of(address: Address) -> datetime | None:
    """When the document at an address was published, else fetched."""
    return address.get("published_at") or address.get("fetched_at")


def quotes_of(body: SectionBody) -> Iterator[Quote]:
    """Every quote of a section, at whatever depth."""
    rows: Iterable[Statement] = [body] if isinstance(body, dict) else body
    for row in rows:
        for key, value in row.items():
            if key == "sources":
                yield from value
            elif isinstance(value, list) and value and isinstance(value[0], dict):
                yield from quotes_of(value)


def _walk(value: Any, sources: Callable[[Any], Any] | None) -> Any:
    """A section with its sources as the function makes them; without them for None."""
    if isinstance(value, list):
        return [_walk(each, sources) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: sources(each) if key == "sources" and sources else _walk(each, sources)
        for key, each in value.items()
        if key != "sources" or sources
    }


def _cited(quote: Quote, address: Address) -> dict[str, Any]:
    published = address.get("published_at")
    row = {
        "document_id": str(quote.document_id),
        "url": address.get("url"),
        "title": address.get("title"),
        "quote": quote.text,
        "published_at": published.isoformat().replace("+00:00", "Z") if published else None,
    }
    return row | ({"pointer": quote.pointer} if quote.pointer else {})


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
