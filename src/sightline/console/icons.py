"""The console's icons: strokes on a 24 by 24 grid, in the color of the surrounding text."""

from typing import Final

from markupsafe import Markup

_PATHS: Final = {
    "home": "M4 11 12 4l8 7v9h-5v-6H9v6H4z",
    "bell": "M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4",
    "search": "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l5 5",
    "ask": "M4 5h16v11h-9l-5 4v-4H4zM9 10h6",
    "building": "M5 21V4h9v17M14 9h5v12M3 21h18M8 8h3M8 12h3M8 16h3",
    "people": "M9 5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM2.5 20a6.5 6.5 0 0 1 13 0"
        "M16 5.5a3.5 3.5 0 0 1 0 6.5M18 15a6 6 0 0 1 3.5 5",
    "timeline": "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 8v4l3 2",
    "map": "M9 4 3 6.5v13.5l6-2.5 6 2.5 6-2.5V4l-6 2.5zM9 4v13.5M15 6.5V20",
    "list": "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
    "eye": "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z"
        "M12 9.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z",
    "play": "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM10 8.5l5.5 3.5-5.5 3.5z",
    "upload": "M12 16V4M7 9l5-5 5 5M4 16v4h16v-4",
    "download": "M12 4v12M7 11l5 5 5-5M4 16v4h16v-4",
    "coins": "M9 5c3.3 0 6 1.1 6 2.5S12.3 10 9 10 3 8.9 3 7.5 5.7 5 9 5zM3 7.5v5C3 13.9 5.7 15 9 15"
        "M15 10c3.3 0 6 1.1 6 2.5S18.3 15 15 15s-6-1.1-6-2.5 2.7-2.5 6-2.5z"
        "M9 12.5v5c0 1.4 2.7 2.5 6 2.5s6-1.1 6-2.5v-5",
    "database": "M12 3.5c4.4 0 8 1.3 8 3s-3.6 3-8 3-8-1.3-8-3 3.6-3 8-3zM4 6.5v11c0 1.7 3.6 3 8 3"
        "s8-1.3 8-3v-11M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3",
    "settings": "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z"
        "M9 14.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z",
    "key": "M8 10a5 5 0 1 1 0 10 5 5 0 0 1 0-10zM11.5 11.5 20 3M16 7l3 3",
    "link": "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
    "menu": "M4 7h16M4 12h16M4 17h16",
    "check": "M5 12.5 10 17.5 19 7",
    "circle": "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16z",
    "x": "M6 6l12 12M18 6 6 18",
    "plus": "M12 5v14M5 12h14",
    "clock": "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 8v4l3 2",
    "copy": "M9 9h11v11H9zM5 15H4V4h11v1",
    "print": "M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z",
    "external": "M14 4h6v6M20 4l-9 9M18 13v7H4V6h7",
    "document": "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
    "spark": "M12 3l2 6.5L20.5 12 14 14.5 12 21l-2-6.5L3.5 12 10 9.5z",
    "chart": "M4 20V4M4 20h16M8 16v-5M12 16V8M16 16v-7",
    "briefcase": "M4 8h16v11H4zM9 8V5h6v3M4 13h16",
    "chip": "M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4",
    "note": "M5 4h14v10l-5 6H5zM19 14h-5v6M9 9h6",
    "refresh": "M19 8a8 8 0 1 0 1 5M20 4v5h-5",
    "user": "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4.5 20.5a7.5 7.5 0 0 1 15 0",
    "trash": "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
    "warning": "M12 4 2.5 20h19zM12 10v4M12 17h.01",
}  # fmt: skip


def icon(name: str) -> Markup:
    """An icon that says nothing by itself: the words stand beside it, or in a label."""
    return Markup(
        '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="{}"/></svg>'
    ).format(_PATHS[name])


def names() -> tuple[str, ...]:
    """Every icon there is."""
    return tuple(_PATHS)
