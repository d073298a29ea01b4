"""Cookies of one chain of redirects: some sites set one, lead back to themselves and want to see it.

They live as long as the chain and go back to the very host that set them, whatever domain they claim:
so none can be planted on a public suffix or shown to a neighbour, and nothing is ever remembered.
"""

import re
from datetime import UTC, datetime

from sightline.kit.fetch.addresses import Url
from sightline.kit.fetch.answer import read_http_date

_PAIR = re.compile(
    r"([\w!#$%&'*+.^`|~-]{1,200})\s*=\s*([\x21-\x3a\x3c-\x7e][\x20-\x3a\x3c-\x7e]{0,3999}|)",
    re.ASCII,
)
_MOST = 50
_LONGEST = 8_000  # characters of all cookies of a request


class Cookies:
    """What the hosts of one chain have set so far."""

    def __init__(self) -> None:
        self._held: dict[tuple[str, str], tuple[str, bool]] = {}

    def take(self, url: Url, set_cookie: str | None) -> None:
        """Keep or drop what an answer of `url` says; `set_cookie` has a cookie a line."""
        for line in (set_cookie or "").split("\n"):
            pair, *attributes = line.split(";")
            said = _said(attributes)
            secure = "secure" in said
            found = _PAIR.fullmatch(pair.strip())
            if found is None or (secure and url.scheme != "https"):
                continue
            name, value = found.groups()
            self._held.pop((url.host, name), None)
            if not _is_over(said) and len(self._held) < _MOST:
                self._held[url.host, name] = value, secure

    def header(self, url: Url) -> str:
        """The Cookie header of a request for `url`; empty when its host has set none."""
        pairs = [
            f"{name}={value}"
            for (host, name), (value, secure) in self._held.items()
            if host == url.host and (url.scheme == "https" or not secure)
        ]
        while sum(map(len, pairs)) > _LONGEST:
            pairs.pop()
        return "; ".join(pairs)


def _said(attributes: list[str]) -> dict[str, str]:
    pairs = (each.partition("=") for each in attributes)
    return {key.strip().lower(): text.strip() for key, _, text in pairs}


def _is_over(said: dict[str, str]) -> bool:
    """Whether the cookie is being taken back; Max-Age counts before Expires (RFC 6265 5.3)."""
    if "max-age" in said:
        return re.fullmatch(r"-\d+|0+", said["max-age"]) is not None
    expires = read_http_date(said.get("expires"))
    return expires is not None and expires <= datetime.now(UTC)
