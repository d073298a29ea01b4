"""A recorded web: a folder with `index.jsonl`, one JSON object per reply, and the bodies beside it.

Each line has `url`, `method`, `status`, `headers`, `file` (below the folder), `encoding` (`gzip` when
the file is stored so, else null) and `fetched_at` (ISO 8601 or null); `sha256` and `bytes` of the
body are checked against it when given. An address may be there with several dates.
"""

import asyncio
import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import parse_qs

from sightline.kit.fetch.addresses import Url, parse_url
from sightline.kit.fetch.answer import Reply, Request, Validators, read_http_date
from sightline.kit.fetch.bounds import BodyReader, Inflater, Limits
from sightline.kit.fetch.errors import (
    ArchiveIsDamaged,
    BodyIsTooLarge,
    FetchFailed,
    NotInArchive,
)

INDEX = "index.jsonl"
_OLDEST = datetime.min.replace(tzinfo=UTC)
_PIECE = 64 * 1024
# Digest of a request → byte offsets of its lines in the index.
Places = dict[bytes, int | tuple[int, ...]]
# They describe how the body travelled, and it is stored unpacked.
_OF_THE_WAY = {"content-encoding", "content-length", "transfer-encoding", "connection"}


@dataclass(frozen=True, slots=True)
class ReplaySource:
    """Which archive, and as of when; None for its newest replies."""

    folder: Path
    at: datetime | None = None


def read_web_setting(text: str) -> ReplaySource | None:
    """None for `live`; an archive for `replay:DIR` or `replay:DIR?at=2026-01-31`.

    A bare date means the end of that day in UTC. Raises ValueError with a sentence.
    """
    if text == "live":
        return None
    kind, _, rest = text.partition(":")
    folder, _, query = rest.partition("?")
    options = parse_qs(query, keep_blank_values=True)
    if kind != "replay" or not folder or set(options) - {"at"}:
        raise ValueError(f"The web is `live` or `replay:DIR?at=DATE`, not {text!r}.")
    at = options.get("at")
    return ReplaySource(Path(folder).expanduser(), read_instant(at[-1]) if at else None)


def read_instant(text: str) -> datetime:
    """An ISO date or time, in UTC unless it says otherwise. Raises ValueError with a sentence."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ValueError(f"{text!r} is not an ISO date or time.") from None
    if len(text.strip()) <= len("2026-01-31"):
        moment = datetime.combine(moment.date(), time.max)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


class Archive:
    """Replies of a recorded web. The index is read at the first request, and of each line only its
    place is kept: some 150 bytes per address."""

    def __init__(self, folder: Path, *, at: datetime | None = None) -> None:
        self._folder = folder
        self._at = at
        self._places: Places | None = None
        self._reading = asyncio.Lock()

    async def exchange(
        self, url: Url, request: Request, *, limits: Limits, seconds: float
    ) -> Reply:
        """The newest reply of that day; 304 when the request's validators match it."""
        del seconds
        async with self._reading:
            if self._places is None:
                self._places = await asyncio.to_thread(self._read_places)
        rows = self._rows(self._places, request.method, url)
        asked = Validators(
            request.headers.get("if-none-match"), request.headers.get("if-modified-since")
        )
        for row in rows:
            if row["status"] == 304:
                # Says nothing about the body; only of use to a client that holds the same version.
                if _matches(asked, _headers(row)):
                    return _reply(row, _headers(row), b"")
                continue
            headers = _headers(row)
            if row["status"] != 200:
                return _reply(row, headers, self._body(row, request, limits))
            if "etag" not in headers:
                digest = row.get("sha256") or self._digest(row, request, limits)
                headers["etag"] = f'"sha256-{digest}"'
            if _matches(asked, headers):
                return _reply(row | {"status": 304}, headers, b"")
            return _reply(row, headers, self._body(row, request, limits))
        raise NotInArchive(str(url), "as of " + self._at.isoformat() if self._at else "")

    async def close(self) -> None:
        return None

    def addresses(self) -> Iterator[tuple[str, str]]:
        """Method and address of every line, in the order of the index."""
        for _, row in self._lines():
            yield row["method"], row["url"]

    def _rows(self, all_places: Places, method: str, url: Url) -> list[dict[str, Any]]:
        """Lines of that request up to the archive's instant, newest first."""
        places = all_places.get(_key(method, str(url)), ())
        found = []
        with (self._folder / INDEX).open("rb") as index:
            for place in (places,) if isinstance(places, int) else places:
                index.seek(place)
                row: dict[str, Any] = json.loads(index.readline())
                if self._at is None or _time_of(row) <= self._at:
                    found.append(row)
        # Among equals the later line wins.
        found.reverse()
        found.sort(key=_time_of, reverse=True)
        return found

    def _read_places(self) -> Places:
        places: Places = {}
        for place, row in self._lines():
            key = _key(row["method"], row["url"])
            before = places.get(key)
            if before is None:
                places[key] = place
            else:
                places[key] = (*((before,) if isinstance(before, int) else before), place)
        return places

    def _lines(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Byte offset and content of each line. Raises ArchiveIsDamaged at the first bad one."""
        path = self._folder / INDEX
        try:
            index = path.open("rb")
        except OSError as error:
            raise ArchiveIsDamaged(f"{path}: {error.strerror}.") from error
        with index:
            place = 0
            for number, line in enumerate(index, 1):
                if line.strip():
                    yield place, _read_line(line, f"{path}, line {number}")
                place += len(line)

    def _digest(self, row: Mapping[str, Any], request: Request, limits: Limits) -> str:
        return hashlib.sha256(self._body(row, request, limits)).hexdigest()

    def _body(self, row: Mapping[str, Any], request: Request, limits: Limits) -> bytes:
        """The body, held to the request's bounds. Raises ArchiveIsDamaged, naming the file."""
        if row.get("file") is None:
            return b""
        path = self._folder / row["file"]
        reader = BodyReader(
            {},
            max_bytes=request.max_bytes,
            limits=limits,
            url=row["url"],
            truncate=request.truncate,
        )
        inflater = Inflater(zlib.MAX_WBITS | 16, url=row["url"]) if row.get("encoding") else None
        try:
            _read_into(reader, path, inflater)
        except OSError as error:
            raise ArchiveIsDamaged(f"{path}: {error.strerror}.") from error
        except BodyIsTooLarge:
            raise
        except FetchFailed as error:
            raise ArchiveIsDamaged(f"{path}: not the gzip file that the index says.") from error
        content = reader.finish()
        if not reader.full and row.get("bytes") not in (None, len(content)):
            raise ArchiveIsDamaged(
                f"{path}: {len(content)} bytes where the index says {row['bytes']}."
            )
        return content


def _read_into(reader: BodyReader, path: Path, inflater: Inflater | None) -> None:
    with path.open("rb") as file:
        while (piece := file.read(_PIECE)) and not reader.full:
            for part in inflater.feed(piece) if inflater else (piece,):
                reader.feed(part)
        if inflater and not reader.full:
            inflater.finish()


def _read_line(line: bytes, where: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise ArchiveIsDamaged(f"{where}: not JSON.") from error
    if not isinstance(row, dict):
        raise ArchiveIsDamaged(f"{where}: not a JSON object.")
    row.setdefault("method", "GET")
    row.setdefault("headers", {})
    wrong = [
        name
        for name, kind in (("url", str), ("method", str), ("status", int), ("headers", dict))
        if not isinstance(row.get(name), kind)
    ]
    if not isinstance(row.get("file"), str | None) or not _is_below(row.get("file") or "x"):
        wrong.append("file")
    if row.get("encoding") not in (None, "gzip"):
        wrong.append("encoding")
    try:
        _time_of(row)
    except (ValueError, TypeError, AttributeError):
        wrong.append("fetched_at")
    if wrong:
        raise ArchiveIsDamaged(f"{where}: {', '.join(wrong)} missing or not understood.")
    return row


def _is_below(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts


def _key(method: str, url: str) -> bytes:
    """Sixteen bytes for a request; the order of query parameters does not matter."""
    try:
        canonical = str(parse_url(url, ports=None))
    except FetchFailed:
        canonical = url
    address, mark, query = canonical.partition("?")
    if mark:
        address += "?" + "&".join(sorted(query.split("&")))
    return hashlib.blake2b(f"{method} {address}".encode(), digest_size=16).digest()


def _time_of(row: Mapping[str, Any]) -> datetime:
    """When the reply was recorded; undated ones are older than all others."""
    text = row.get("fetched_at")
    if text is None:
        return _OLDEST
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _headers(row: Mapping[str, Any]) -> dict[str, str]:
    named = {str(name).lower(): str(value) for name, value in row.get("headers", {}).items()}
    return {name: value for name, value in named.items() if name not in _OF_THE_WAY}


def _matches(asked: Validators, headers: Mapping[str, str]) -> bool:
    """RFC 9110 13.2: an entity tag, if asked with one, decides alone."""
    if asked.etag:
        tags = {tag.strip().removeprefix("W/") for tag in asked.etag.split(",")}
        return headers.get("etag", "").removeprefix("W/") in tags
    since, changed = (
        read_http_date(asked.last_modified),
        read_http_date(headers.get("last-modified")),
    )
    return since is not None and changed is not None and changed <= since


def _reply(row: Mapping[str, Any], headers: dict[str, str], content: bytes) -> Reply:
    moment = _time_of(row)
    if moment == _OLDEST:
        moment = read_http_date(headers.get("date")) or datetime.now(UTC)
    return Reply(row["status"], headers, content, moment)
