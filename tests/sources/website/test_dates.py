"""When a page was first published: its own date before that of what it embeds, on its publisher's day."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from sightline.reading.times import on_own_day
from tests.sources.website.answers import FILLER, document, read

VIDEO = {"@type": "VideoObject", "name": "Tour", "uploadDate": "2019-05-01T10:00:00Z"}
TEXT = f"<h1>A new berth</h1>{FILLER}"


def published(body: str, *nodes: dict[str, Any]) -> datetime | None:
    scripts = "".join(
        f'<script type="application/ld+json">{json.dumps(node)}</script>' for node in nodes
    )
    return read(document(body, head=scripts)).parsed.published_at


def test_an_embedded_video_does_not_date_the_article() -> None:
    article = {"@type": "NewsArticle", "datePublished": "2024-03-02", "video": VIDEO}
    day = datetime(2024, 3, 2, tzinfo=UTC)
    assert published(TEXT, article) == day
    assert published(TEXT, VIDEO, {"@type": "NewsArticle", "datePublished": "2024-03-02"}) == day
    marked = f"<time class='published' datetime='2024-03-02'>2 March 2024</time>{TEXT}"
    assert published(marked, VIDEO) == day


def test_a_video_alone_dates_its_page() -> None:
    assert published(TEXT, VIDEO) == datetime(2019, 5, 1, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("2024-03-02T00:30:00+09:00", "2024-03-02T00:00:00+00:00"),
        ("2024-03-02T22:30:00-05:00", "2024-03-02T00:00:00+00:00"),
        ("2024-03-02T12:30:00+01:00", "2024-03-02T12:30:00+01:00"),
    ],
)
def test_the_time_is_kept_and_the_publishers_day_is_stored(written: str, stored: str) -> None:
    found = published(TEXT, {"@type": "NewsArticle", "datePublished": written})
    assert found is not None
    assert found.isoformat() == written
    day = on_own_day(found)
    assert day is not None
    assert day.isoformat() == stored
