"""A viewer's display preferences, kept in cookies because they are not secret."""

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

THEME_COOKIE: Final = "sightline_theme"
ZONE_COOKIE: Final = "sightline_zone"
"""`console.js` writes the browser's time zone here until one is chosen."""
THEMES: Final = ("light", "dark")
UTC: Final = ZoneInfo("UTC")


@dataclass(frozen=True)
class Viewer:
    """`theme` is one of THEMES, or "" to follow the system."""

    theme: str = ""
    zone: ZoneInfo = UTC


VIEWER: Final[ContextVar[Viewer]] = ContextVar("viewer", default=Viewer())  # noqa: B039 it is frozen


def viewer_of(cookies: Mapping[str, str]) -> Viewer:
    """What the cookies say; what they do not know is left at its default."""
    theme = cookies.get(THEME_COOKIE, "")
    return Viewer(theme if theme in THEMES else "", zone_named(cookies.get(ZONE_COOKIE, "")) or UTC)


def zone_named(name: str) -> ZoneInfo | None:
    """The time zone of a name as `Europe/Berlin`, None when there is none."""
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
