"""Every component of the console on one page, for developers."""

from typing import Final

from sightline.console.icons import names
from sightline.console.page import NothingHere, Pager, Shown, Visit

COLORS: Final = (
    "page", "side", "card", "tint", "hover", "track", "line", "edge", "soft", "ink", "accent",
    "accent-pale", "second", "third", "good", "good-pale", "bad", "bad-pale", "warm", "warm-pale",
)  # fmt: skip
MONTHS: Final = ("Jun", "Jul", "Aug", "Sep", "Oct", "Nov")


async def show(visit: Visit) -> Shown:
    """Raises NothingHere for those who are neither owner nor admin."""
    if visit.session.role not in ("owner", "admin"):
        raise NothingHere
    return Shown(
        "design.html",
        {
            "colors": COLORS,
            "icons": names(),
            "months": MONTHS,
            "sample_pager": Pager(2, 240, 25, ()),
            "source": {
                "url": "https://harbor-analytics.example/news",
                "title": "Harbor Analytics opens in Leeds",
                "quote": "Harbor Analytics opened an office in Leeds on 4 March 2026.",
                "published_at": "2026-03-04T00:00:00Z",
            },
        },
    )
