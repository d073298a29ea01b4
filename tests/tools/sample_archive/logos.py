"""Logos of invented companies, drawn from a few shapes as PNG with one color on another."""

import struct
import zlib
from typing import Final

Point = tuple[float, float]

_SIDE: Final = 128  # pixels
_SAMPLES: Final = tuple((i + 0.5) / 4 for i in range(4))
_SHADES: Final = 16
# Background, foreground, and the outlines that are filled, on a square of 100 by 100.
_LOGOS: Final[dict[str, tuple[int, int, tuple[tuple[Point, ...], ...]]]] = {
    "copperline": (0x1F2A37, 0xF0A15E, (
        ((57, 14), (26, 56), (46, 56), (40, 86), (74, 42), (53, 42)),
    )),
    "bellwether": (0x8A3B12, 0xFBE9C6, (
        ((50, 50), (40, 16), (60, 16)), ((50, 50), (84, 40), (84, 60)),
        ((50, 50), (60, 84), (40, 84)), ((50, 50), (16, 60), (16, 40)),
    )),
    "pinebrook": (0x0E5B45, 0xE8F5EC, (
        ((50, 12), (70, 40), (30, 40)), ((50, 28), (77, 62), (23, 62)),
        ((45, 62), (55, 62), (55, 74), (45, 74)), ((18, 78), (82, 78), (82, 86), (18, 86)),
    )),
    "marisol": (0x24408E, 0xFFFFFF, (
        ((16, 80), (16, 28), (30, 28), (50, 54), (70, 28), (84, 28), (84, 80), (70, 80), (70, 50),
         (50, 76), (30, 50), (30, 80)),
    )),
}  # fmt: skip


def png(name: str) -> bytes:
    """The logo, 128 pixels square. Stored, not compressed: every version of zlib makes the same bytes."""
    background, foreground, outlines = _LOGOS[name]
    palette = b"".join(
        bytes(
            round(_part(background, n) + (_part(foreground, n) - _part(background, n)) * shade / 15)
            for n in range(3)
        )
        for shade in range(_SHADES)
    )
    rows = bytearray()
    for y in range(_SIDE):
        shades = [_shade(outlines, x, y) for x in range(_SIDE)]
        pairs = zip(shades[::2], shades[1::2], strict=True)
        rows += b"\x00" + bytes(left << 4 | right for left, right in pairs)
    head = struct.pack(">IIBBBBB", _SIDE, _SIDE, 4, 3, 0, 0, 0)
    chunks = (
        (b"IHDR", head),
        (b"PLTE", palette),
        (b"IDAT", zlib.compress(rows, 0)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )


def _part(color: int, n: int) -> int:
    return color >> (16, 8, 0)[n] & 255


def _shade(outlines: tuple[tuple[Point, ...], ...], x: int, y: int) -> int:
    """How much of the pixel is filled, 0 to 15, by 16 samples."""
    scale = 100 / _SIDE
    filled = sum(
        any(_is_inside(outline, (x + i) * scale, (y + j) * scale) for outline in outlines)
        for i in _SAMPLES
        for j in _SAMPLES
    )
    return round(filled * 15 / 16)


def _is_inside(outline: tuple[Point, ...], x: float, y: float) -> bool:
    """Whether a ray to the right crosses the outline an odd number of times."""
    inside = False
    for (x1, y1), (x2, y2) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            inside = not inside
    return inside
