"""Websites: the domain that identifies a company, and a clean address of its site.

The suffix list is the one bundled with tldextract: nothing is fetched, nothing cached on disk.
"""

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import SplitResult, quote

import idna

from sightline.domain.tables import toml_table, word_set

if TYPE_CHECKING:
    import tldextract


class WebsiteReading(NamedTuple):
    """What a website column says. All None and False when it names no public host.

    ``domain`` is the registrable domain, lower-case ASCII (IDN in punycode); None on a shared host.
    ``website`` is an https URL without credentials, query and fragment; None for an email address.
    ``shared_host`` tells that the address is a page on a platform, such as linkedin.com/company/x.
    """

    domain: str | None = None
    website: str | None = None
    shared_host: bool = False


class _Address(NamedTuple):
    host: str
    port: str
    path: str
    is_mail: bool
    is_web: bool


class _Registration(NamedTuple):
    domain: str
    has_subdomain: bool
    lent: bool


_NOTHING = WebsiteReading()
_HOSTS = "shared_hosts.toml"
_SCHEME = re.compile(
    r"^(?:([a-z][a-z0-9+.-]*):/*[/\\]+|(https?)(?::|;)?[/\\]+|(https?):)", re.IGNORECASE
)
# What most addresses are, with nothing to be taken off: the host alone says what they are.
_PLAIN = re.compile(r"https?://((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63})/?")
_BREAK = re.compile(r"[\s,;|<>\"]+")
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_HOME = re.compile(
    r"/?|/[a-z]{2}(?:[-_][a-z]{2,4})?/?|/(?:home|index|default)(?:\.\w+)?/?", re.IGNORECASE
)
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2060\ufeff]")
_REGISTRIES = re.compile(r"(?:[a-z]{2,3}|africa)\.(?:com|net|org)")
_GOVERNMENTS = ("gov.", "gouv.", "gob.", "govt.", "mil.")
_RESERVED = "example"
_MAX_HOST = 253
_MAX_PATH = 1024
_MAX_CANDIDATES = 3
_WEB_SCHEMES = frozenset({"", "http", "https"})
_DEFAULT_PORTS = frozenset({"", "80", "443"})
_PATH_SAFE = "/%:@!$&'()*+,;=~-._"


def domain_of(text: str | None) -> str | None:
    """The registrable domain a URL, host or email address names; None when it is not one's own.

    "www.spacex.com/careers" gives "spacex.com"; platforms, addresses in numbers, file names and
    fillers such as "N/A" give None.
    """
    return read_website(text).domain


def read_website(text: str | None) -> WebsiteReading:
    """Read a website column; of several addresses in it the first readable one counts."""
    if not text:
        return _NOTHING
    if (plain := _PLAIN.fullmatch(text)) and len(plain[1]) <= _MAX_HOST:
        return _read_address(_Address(plain[1], port="", path="", is_mail=False, is_web=True))
    pieces = _BREAK.split(_UNSEEN.sub(" ", text[:4096]).strip(" '()[]{}"))
    for piece in [piece for piece in pieces if piece][:_MAX_CANDIDATES]:
        reading = _read_one(piece)
        if reading is not _NOTHING:
            return reading
    return _NOTHING


def _read_one(piece: str) -> WebsiteReading:
    address = _address(piece)
    return _NOTHING if address is None else _read_address(address)


def _read_address(address: _Address) -> WebsiteReading:
    registration = _registration(address.host)
    if registration is None:
        return _NOTHING
    if address.is_mail:
        public = registration.domain in word_set(_HOSTS, "mail")
        return WebsiteReading(domain=None if public else registration.domain, shared_host=public)
    shared = _is_shared(address, registration)
    return WebsiteReading(
        domain=None if shared else registration.domain,
        website=_url(address) if address.is_web else None,
        shared_host=shared,
    )


def _address(piece: str) -> _Address | None:
    """Take an address apart; None for what cannot be a public host."""
    scheme, rest = _without_scheme(piece)
    mailto = rest.lower().startswith("mailto:")
    rest = rest[7:] if mailto else rest.lstrip("/\\")
    authority = re.split(r"[/\\?#]", rest, maxsplit=1)[0]
    tail = rest[len(authority) :]
    user, at, host_port = authority.rpartition("@")
    is_mail = mailto or (bool(at) and not scheme and ":" not in user)
    host, _, port = host_port.partition(":")
    if port and not (port.isdecimal() and len(port) <= 5):
        return None
    name = _ascii_host(host)
    if name is None or (not scheme and not at and _is_file_name(name, tail)):
        return None
    path = re.split(r"[?#]", tail.replace("\\", "/"), maxsplit=1)[0]
    is_web = scheme in _WEB_SCHEMES
    return _Address(host=name, port=port, path=path[:_MAX_PATH], is_mail=is_mail, is_web=is_web)


def _without_scheme(piece: str) -> tuple[str, str]:
    """The last of the schemes before an address, lower case ("" for none), and what follows it."""
    scheme = ""
    while found := _SCHEME.match(piece):
        scheme = (found[1] or found[2] or found[3]).lower()
        piece = piece[found.end() :]
    return scheme, piece


def _ascii_host(host: str) -> str | None:
    name = host.lower().strip(".")
    if not name.isascii():
        try:
            name = idna.encode(name, uts46=True).decode("ascii").strip(".")
        except (idna.IDNAError, UnicodeError):
            return None
    if "." not in name or len(name) > _MAX_HOST:
        return None
    return name if all(_LABEL.fullmatch(label) for label in name.split(".")) else None


def _is_file_name(host: str, tail: str) -> bool:
    """A bare "archive.zip" is a file; with a path or a scheme it is an address."""
    return (
        not tail
        and host.count(".") == 1
        and host.rpartition(".")[2] in word_set(_HOSTS, "file_endings")
    )


@lru_cache(maxsize=8192)
def _registration(host: str) -> _Registration | None:
    """The registrable domain of a host, and whether the host is lent out by a platform."""
    labels = host.split(".")
    if labels[-1] == _RESERVED:
        # Reserved by RFC 2606 for documentation; the bundled samples live there.
        return _Registration(".".join(labels[-2:]), len(labels) > 2 and labels[0] != "www", False)
    if labels[-1].isdigit() or labels[-2] in word_set(_HOSTS, "placeholders"):
        return None
    found = _extractor().extract_urllib(SplitResult("", host, "", "", ""))
    if not found.suffix:
        return None
    bare = found.domain in {"", "www"} and not found.subdomain
    if found.is_private:
        registry = _REGISTRIES.fullmatch(found.suffix) is not None
        if registry and not bare:
            return _Registration(found.top_domain_under_public_suffix, bool(found.subdomain), False)
        owner = ".".join(labels[-(found.registry_suffix.count(".") + 2) :])
        return _Registration(owner, not bare, not bare)
    if bare:
        # A government's own site may sit on its suffix: www.gov.uk.
        is_site = found.suffix.startswith(_GOVERNMENTS)
        return _Registration(found.suffix, False, False) if is_site else None
    has_subdomain = found.subdomain not in {"", "www"}
    return _Registration(found.top_domain_under_public_suffix, has_subdomain, False)


def _is_shared(address: _Address, registration: _Registration) -> bool:
    if registration.lent or address.host in word_set(_HOSTS, "hosts"):
        return True
    domain = registration.domain
    if registration.has_subdomain and domain in word_set(_HOSTS, "subdomains") | _job_boards():
        return True
    return domain in word_set(_HOSTS, "paths") and _HOME.fullmatch(address.path) is None


@cache
def _job_boards() -> frozenset[str]:
    return frozenset(" ".join(toml_table("job_boards.toml")["hosts"].values()).split())


def _url(address: _Address) -> str:
    port = "" if address.port in _DEFAULT_PORTS else f":{int(address.port)}"
    path = quote(address.path, safe=_PATH_SAFE).rstrip("/")
    return f"https://{address.host}{port}{path}"


@cache
def _extractor() -> "tldextract.TLDExtract":
    # Imported at the first address: it brings an HTTP client that nothing else here needs.
    import tldextract

    # No URLs and no cache directory: the bundled list, no network and no files of our own.
    return tldextract.TLDExtract(
        suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True
    )
