"""A stored passage as tests need it."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sightline.store.passages import StoredPassage


def stored_passage(body: str, **given: Any) -> StoredPassage:
    """A piece of a filing, but for what is `given`."""
    values: dict[str, Any] = {
        "company_id": UUID(int=1), "number": 1, "passage_id": UUID(int=1), "origin": "passage",
        "origin_id": UUID(int=2), "kind": "filing", "family": None, "signal_id": None,
        "document_id": UUID(int=2), "start": 0, "end": len(body),
        "published_at": datetime(2026, 2, 1, tzinfo=UTC), "publisher": "", "publishers": 1, "words": 9,
        "simhash": 0, "figures": 0, "url": None, "title": "10-K", "heading": "", "context": "",
        "body": body,
    }  # fmt: skip
    return StoredPassage(**values | given)
