"""Representation of a complete response: entity tags on reads, 304, compression.

Streams pass untouched: their length and end are part of what they say.
"""

import gzip
import hashlib
from collections.abc import Mapping
from typing import Final

import zstandard
from starlette.datastructures import Headers
from starlette.responses import Response

# Below this many bytes a compressed answer is hardly smaller than the plain one.
SMALLEST: Final = 1_024
_TAG_LENGTH: Final = 24  # hexadecimal digits
_GZIP_LEVEL: Final = 4
_ZSTD_LEVEL: Final = 3
# What a caller may keep and has to ask about each time; `no-store` stays on everything else.
_REVALIDATED: Final = (b"cache-control", b"private, no-cache")
_VARIES: Final = (b"vary", b"Accept-Encoding")
_TEXT: Final = ("application/json", "text/")


def represent(response: Response, method: str, asked: Headers) -> Response:
    """The answer as the caller's headers want it. Changes and returns `response`, or answers a 304."""
    body = bytes(response.body)
    given = dict(reversed(asked.raw))  # of a header that is given twice, the first
    if method in ("GET", "HEAD") and response.status_code == 200:
        # Processors have instructions for SHA-256: half the time of blake2b.
        tag = f'W/"{hashlib.sha256(body).hexdigest()[:_TAG_LENGTH]}"'
        response.raw_headers += [(b"etag", tag.encode()), _REVALIDATED]
        named = given.get(b"if-none-match")
        if named is not None and _has(named.decode("latin-1"), tag):
            return _not_modified(response.headers)
    if not (response.media_type or "").startswith(_TEXT):
        return response
    accepted = given.get(b"accept-encoding") if len(body) >= SMALLEST else None
    encoding = _encoding(accepted.decode("latin-1")) if accepted else None
    if encoding:
        response.body = _compressed(body, encoding)
        response.headers["content-encoding"] = encoding
        response.headers["content-length"] = str(len(response.body))
    response.raw_headers.append(_VARIES)
    return response


def _has(header: str, tag: str) -> bool:
    """Whether If-None-Match names the tag; weak and strong forms of one tag are the same here."""
    named = {one.strip().removeprefix("W/") for one in header.split(",")}
    return "*" in named or tag.removeprefix("W/") in named


def _not_modified(headers: Mapping[str, str]) -> Response:
    kept = {name: value for name, value in headers.items() if not name.startswith("content-")}
    return Response(status_code=304, headers=kept)


def _encoding(accepted: str) -> str | None:
    """zstd or gzip, whichever the caller weighs more; zstd of two equals. None: neither."""
    weights = {"zstd": 0.0, "gzip": 0.0}
    for one in accepted.lower().split(","):
        name, _, quality = one.strip().partition(";")
        if name.strip() in weights:
            weights[name.strip()] = _quality(quality)
    best = max(weights, key=weights.__getitem__)
    return best if weights[best] > 0 else None


def _quality(parameter: str) -> float:
    name, _, value = parameter.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0


def _compressed(body: bytes, encoding: str) -> bytes:
    if encoding == "zstd":
        return zstandard.ZstdCompressor(level=_ZSTD_LEVEL).compress(body)
    return gzip.compress(body, compresslevel=_GZIP_LEVEL, mtime=0)
