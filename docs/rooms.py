"""Draws the rooms of the code from the import contract: python docs/rooms.py writes docs/images/rooms.svg.

A room imports those below it only; rooms side by side do not import each other.
"""

import tomllib
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs/images/rooms.svg"
# What a band of layers is for, from its first layer down.
BANDS = {
    "cli": ("entry points", "#dbe7fb"),
    "assistant": ("features", "#e3f1e1"),
    "sources": ("reading", "#fbeed6"),
    "match": ("foundation", "#ece6f7"),
}
WIDTH, ROW, GAP, LEFT = 880, 34, 6, 130
# It starts the command line and is no room.
LEFT_OUT = {"__main__"}


def layers() -> list[list[str]]:
    """Rooms side by side, the uppermost first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (rooms,) = [
        each for each in project["tool"]["importlinter"]["contracts"] if each["id"] == "rooms"
    ]
    found = [[name.strip(" ()") for name in layer.split("|")] for layer in rooms["layers"]]
    return [layer for layer in found if not LEFT_OUT & set(layer)]


def picture() -> str:
    """The SVG."""
    rows = layers()
    height = len(rows) * (ROW + GAP) + GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="system-ui, sans-serif" font-size="15">',
        "<title>The rooms of the code; imports point down</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
    ]
    colour = "#eeeeee"
    for number, names in enumerate(rows):
        y = GAP + number * (ROW + GAP)
        for name in names:
            if name in BANDS:
                says, colour = BANDS[name]
                parts.append(f'<text x="12" y="{y + 22}" fill="#555555">{escape(says)}</text>')
        width = (WIDTH - LEFT - GAP * len(names)) / len(names)
        for place, name in enumerate(names):
            x = LEFT + place * (width + GAP)
            parts.append(
                f'<rect x="{x:.0f}" y="{y}" width="{width:.0f}" height="{ROW}" rx="6" '
                f'fill="{colour}" stroke="#9aa3ad"/>'
            )
            parts.append(
                f'<text x="{x + width / 2:.0f}" y="{y + 22}" text-anchor="middle" '
                f'fill="#1b1f24">{escape(name)}</text>'
            )
    return "\n".join([*parts, "</svg>\n"])


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
