"""The image format of some bytes, from how they begin: names and headers may lie."""

from typing import Final

# Raster pictures alone: an SVG is a document, and may hold scripts and addresses.
_SIGNATURES: Final = (
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"\x00\x00\x01\x00", "image/x-icon"),
    (8, b"WEBPVP8", "image/webp"),
)


def picture_type(content: bytes) -> str | None:
    """The media type of a PNG, JPEG, WebP or ICO picture; None for everything else."""
    return next(
        (kind for start, mark, kind in _SIGNATURES if content.startswith(mark, start)), None
    )
