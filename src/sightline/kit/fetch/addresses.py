"""Which URLs and IP addresses may be fetched. Parsed once and strictly: what is judged here is what
is connected to, so no second parser can read the same text as another host."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import (
    AddressValueError,
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_network,
)
from urllib.parse import quote, urljoin

import idna

from sightline.kit.fetch.errors import AddressIsForbidden, UrlIsMalformed

IPAddress = IPv4Address | IPv6Address
IPNetwork = IPv4Network | IPv6Network

LONGEST_URL = 8_000  # characters; servers refuse longer ones
WEB_PORTS = frozenset({80, 443, 8080, 8443})
DEFAULT_PORTS = {"http": 80, "https": 443}

# Names that stand for this machine or network (RFC 6761, 6762, 8375, 9476 and custom).
INSIDE_NAMES = ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "private",
                "localdomain", "home.arpa", "onion", "arpa")  # fmt: skip

_INSIDE_V4: tuple[tuple[IPv4Network, str], ...] = tuple(
    (IPv4Network(network), why)
    for network, why in (
        ("0.0.0.0/8", "this network"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "carrier-grade NAT"),
        ("127.0.0.0/8", "loopback"),
        ("168.63.129.16/32", "cloud metadata"),  # Azure's, on a public-looking address
        ("169.254.0.0/16", "link-local, cloud metadata"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "protocol assignments"),
        ("192.0.2.0/24", "documentation"),
        ("192.31.196.0/24", "AS112"),
        ("192.52.193.0/24", "AMT"),
        ("192.88.99.0/24", "6to4 relay"),
        ("192.168.0.0/16", "private"),
        ("192.175.48.0/24", "AS112"),
        ("198.18.0.0/15", "benchmarking"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved, broadcast"),
    )
)
_GLOBAL_V6 = IPv6Network("2000::/3")  # all that IANA has given out for unicast
_INSIDE_V6: tuple[tuple[IPv6Network, str], ...] = tuple(
    (IPv6Network(network), why)
    for network, why in (
        ("2001::/23", "protocol assignments, Teredo"),
        ("2001:db8::/32", "documentation"),
        ("2002::/16", "6to4"),
        ("3ffe::/16", "6bone"),
        ("3fff::/20", "documentation"),
    )
)
# DNS64 gives every IPv4-only host an address in here, so these are judged by what they embed.
_NAT64 = IPv6Network("64:ff9b::/96")
_MAPPED = IPv6Network("::ffff:0:0/96")

_URL = re.compile(r"(https?)://([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#.*)?", re.IGNORECASE | re.DOTALL)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_PORT = re.compile(r"[0-9]{1,5}")
_DOTS = re.compile(r"/(?:\.|%2e){1,2}(?=/|$)", re.IGNORECASE)
# Already in the one form that parse_url gives; most addresses are.
_PLAIN = re.compile(
    r"(https?)://((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z-]{0,61}[a-z])"
    r"(/(?!\.)[A-Za-z0-9_~!$&'()*+,;=:@%-]*(?:[./](?![./])[A-Za-z0-9_~!$&'()*+,;=:@%-]*)*)"
    r"(\?[A-Za-z0-9_~!$&'()*+,;=:@%/?.-]*)?"
)


@dataclass(frozen=True, slots=True)
class Url:
    """A URL in its one canonical form: ASCII, no credentials, no fragment, no dot segments.

    `host` is lower-case, IDN as A-labels, IPv6 without brackets; `target` is path and query.
    """

    scheme: str
    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """Host and, unless it is the scheme's own, port: what a Host header says."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.authority}"

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    def __str__(self) -> str:
        return f"{self.scheme}://{self.authority}{self.target}"


def join(base: Url, reference: str) -> str:
    """`reference`, as a Location header gives it, against `base`; not yet judged."""
    try:
        return urljoin(str(base), reference)
    except ValueError as error:
        raise UrlIsMalformed(reference, "redirect") from error


@lru_cache(maxsize=4096)
def parse_url(
    text: str,
    *,
    ports: frozenset[int] | None = WEB_PORTS,
    allow: tuple[IPNetwork, ...] = (),
) -> Url:
    """The canonical form of `text`. Raises UrlIsMalformed or AddressIsForbidden.

    `ports` None allows every port. Hosts written as an IP address are judged here already, names
    when they are resolved. `allow` names networks that are open in spite of being private.
    """
    if plain := _canonical(text):
        _refuse_inside_name(plain.host, text)
        _refuse_port(plain.port, ports, text)
        return plain
    stripped = text.strip(" \t\r\n")
    parts = _URL.fullmatch(stripped)
    if parts is None:
        if _SCHEME.match(stripped):
            raise AddressIsForbidden(text, "only http and https are fetched")
        raise UrlIsMalformed(text)
    if len(stripped) > LONGEST_URL or _CONTROL.search(stripped):
        raise UrlIsMalformed(text, "too long or with control characters")
    scheme, authority, path, query = parts.groups()
    scheme = scheme.lower()
    host, port = _read_authority(authority, text, allow)
    number = int(port) if port else DEFAULT_PORTS[scheme]
    _refuse_port(number, ports, text)
    target = _remove_dot_segments(_escape(path.replace("\\", "%5C"), text)) or "/"
    if query is not None:
        target += "?" + _escape(query, text)
    return Url(scheme, host, number, target)


def _canonical(text: str) -> Url | None:
    """The address where it is in its canonical form already, as most are."""
    found = _PLAIN.fullmatch(text)
    if found is None or len(text) > LONGEST_URL:
        return None
    scheme, host, path, query = found.groups()
    if len(host) > 253 or _DOTS.search(path):
        return None
    return Url(scheme, host, DEFAULT_PORTS[scheme], path + (query or ""))


def read_host(text: str, *, allow: tuple[IPNetwork, ...] = ()) -> str:
    """The canonical form of a host, a name or an address without a port. An address is judged here
    already, a name when it is resolved. Raises UrlIsMalformed or AddressIsForbidden."""
    host = text.strip()
    if ":" in host:
        return _judged_literal(host.removeprefix("[").removesuffix("]"), text, allow)
    return _read_name(host, text, allow)


def _read_authority(
    authority: str, text: str, allow: tuple[IPNetwork, ...]
) -> tuple[str, str | None]:
    """Canonical host, and the port's digits if there are any."""
    if "@" in authority:
        raise AddressIsForbidden(text, "credentials in the address")
    if "%" in authority or "\\" in authority:
        # Escaped hosts, IPv6 zones, and the backslash that browsers read as a slash.
        raise UrlIsMalformed(text, "host")
    if authority.startswith("["):
        literal, bracket, rest = authority[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            raise UrlIsMalformed(text, "host")
        host, port = _judged_literal(literal, text, allow), rest[1:]
    else:
        name, _, port = authority.partition(":")
        host = _read_name(name, text, allow)
    if port and not _PORT.fullmatch(port):
        raise UrlIsMalformed(text, "port")
    return host, port or None


def _read_name(name: str, text: str, allow: tuple[IPNetwork, ...]) -> str:
    if not name.isascii():
        try:
            # Maps full-width digits and ideographic dots as browsers do, before anything is judged.
            name = idna.encode(name, uts46=True).decode("ascii")
        except (idna.IDNAError, UnicodeError) as error:
            raise UrlIsMalformed(text, "host") from error
    host = name.lower().removesuffix(".")
    labels = host.split(".")
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise UrlIsMalformed(text, "host")
    if _NUMBER.fullmatch(labels[-1]):
        # 2130706433, 0177.1, 127.1, 0x7f.0.0.1: C libraries read these as addresses.
        return _judged_literal(host, text, allow)
    _refuse_inside_name(host, text)
    return host


def _judged_literal(literal: str, text: str, allow: tuple[IPNetwork, ...]) -> str:
    try:
        address: IPAddress = IPv6Address(literal) if ":" in literal else IPv4Address(literal)
    except AddressValueError as error:
        raise AddressIsForbidden(text, "an unusual spelling of an IP address") from error
    if why := why_forbidden(address, allow):
        raise AddressIsForbidden(text, why)
    return str(address)


def _refuse_inside_name(host: str, text: str) -> None:
    if "." not in host or host.endswith(tuple(f".{name}" for name in INSIDE_NAMES)):
        raise AddressIsForbidden(text, "a name of a local network")


def _refuse_port(port: int, ports: Collection[int] | None, text: str) -> None:
    if not 0 < port < 65_536 or (ports is not None and port not in ports):
        raise AddressIsForbidden(text, f"port {port}")


def _escape(part: str, text: str) -> str:
    try:
        return quote(part, safe="/?:@!$&'()*+,;=-._~%[]|")
    except UnicodeEncodeError as error:
        raise UrlIsMalformed(text, "path") from error


def _remove_dot_segments(path: str) -> str:
    """RFC 3986 5.2.4, with %2e read as a dot: /open/../closed is judged as /closed by robots.txt."""
    if _DOTS.search(path) is None:
        return path
    kept: list[str] = []
    segments = path.split("/")[1:]
    for position, segment in enumerate(segments):
        plain = segment.lower().replace("%2e", ".")
        if plain == "..":
            kept = kept[:-1]
        elif plain != ".":
            kept.append(segment)
            continue
        if position == len(segments) - 1:
            kept.append("")
    return "/" + "/".join(kept)


def read_networks(texts: Sequence[str]) -> tuple[IPNetwork, ...]:
    """Networks such as 10.1.0.0/16 or a single address. Raises ValueError."""
    return tuple(ip_network(text.strip()) for text in texts)


def why_forbidden(address: IPAddress, allow: Sequence[IPNetwork] = ()) -> str | None:
    """Why nothing may be fetched from `address`, or None if it is a public one or in `allow`."""
    if any(address in network for network in allow):
        return None
    if isinstance(address, IPv4Address):
        return next((why for network, why in _INSIDE_V4 if address in network), None)
    if address.scope_id is not None:
        return "an address with a zone"
    if address in _MAPPED or address in _NAT64:
        return _why_embedded(address, allow)
    if address not in _GLOBAL_V6:
        return "not a global IPv6 address"
    if why := next((why for network, why in _INSIDE_V6 if address in network), None):
        return why
    is_isatap = (int(address) >> 32) & 0xFDFF_FFFF == 0x5EFE  # RFC 5214: carries IPv4
    return _why_embedded(address, allow) if is_isatap else None


def _why_embedded(address: IPAddress, allow: Sequence[IPNetwork]) -> str | None:
    """Why the IPv4 address in the last 32 bits is forbidden."""
    why = why_forbidden(IPv4Address(int(address) & 0xFFFF_FFFF), allow)
    return why and f"{why}, embedded in IPv6"
