"""Requests to the web and their responses."""

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_MEDIA_TYPE = re.compile(r"\s*([\w!#$&^.+-]+/[\w!#$&^.+-]+)\s*(?:;|,|$)", re.ASCII)
_CHARSET = re.compile(r";\s*charset\s*=\s*[\"']?([\w.:-]+)", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Validators:
    """What an earlier answer said about its version; makes a fetch conditional."""

    etag: str | None = None
    last_modified: str | None = None

    def headers(self) -> dict[str, str]:
        named = {"if-none-match": self.etag, "if-modified-since": self.last_modified}
        return {name: value for name, value in named.items() if value}


@dataclass(frozen=True, slots=True)
class HostRules:
    """How a host wants to be asked.

    `interval_seconds` lies between the starts of two requests, of all workers together;
    `longest_crawl_delay` bounds what a robots.txt may ask for, in seconds.
    """

    interval_seconds: float = 1.0
    connections: int = 1
    obey_robots: bool = True
    longest_crawl_delay: float = 10.0


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it goes out: header names in lower case."""

    method: str
    headers: Mapping[str, str]
    body: bytes | None
    max_bytes: int
    truncate: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply as it came in: header names in lower case, the body decoded."""

    status: int
    headers: Mapping[str, str]
    content: bytes
    fetched_at: datetime


@dataclass(frozen=True, slots=True)
class Answer:
    """The end of a chain of redirects.

    `headers` have lower-case names; repeated ones are joined by ", ", Set-Cookie by a line end.
    `content` is decoded and empty when `not_modified`. `media_type` is `type/subtype` in lower case
    and `charset` a name Python decodes, both only as the Content-Type header says; None if it does
    not. `elapsed` is in seconds, waiting for the host's turn not counted. `redirects` are the
    addresses that led to `final_url`, the asked one first.
    """

    url: str
    status: int
    final_url: str
    redirects: tuple[str, ...]
    headers: Mapping[str, str]
    content: bytes = field(repr=False)
    fetched_at: datetime
    elapsed: float

    @property
    def not_modified(self) -> bool:
        return self.status == 304

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    @property
    def media_type(self) -> str | None:
        found = _MEDIA_TYPE.match(self.headers.get("content-type", ""))
        return found[1].lower() if found else None

    @property
    def charset(self) -> str | None:
        found = _CHARSET.search(self.headers.get("content-type", ""))
        if found is None:
            return None
        try:
            b"x".decode(
                found[1], "replace"
            )  # refuses codecs that are no text encoding, such as zlib
            return codecs.lookup(found[1]).name
        except (LookupError, UnicodeError):
            return None

    @property
    def validators(self) -> Validators:
        """For the next fetch of the same address."""
        return Validators(self.headers.get("etag"), self.headers.get("last-modified"))

    @property
    def retry_after(self) -> float | None:
        """Seconds to leave the host alone, if it says so."""
        return read_retry_after(self.headers, self.fetched_at)


def read_http_date(text: str | None) -> datetime | None:
    """An HTTP date as an aware time in UTC; None if it is none."""
    if not text:
        return None
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def read_retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds from `now`, never negative; None without a header that can be read."""
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    moment = read_http_date(text)
    return None if moment is None else max(0.0, (moment - now).total_seconds())
