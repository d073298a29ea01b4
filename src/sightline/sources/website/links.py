"""The role of a page's links, by the words of their URLs in several languages.

Words in the path count most, then the link's own text. An address of another site has no role but
those of boards, feeds and profiles, which are found elsewhere.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache, lru_cache
from urllib.parse import parse_qsl, unquote, urlsplit

from sightline.domain.evidence import Link
from sightline.domain.names import fold
from sightline.domain.websites import domain_of
from sightline.sources.boards.addresses import board_of, names_board
from sightline.sources.website.document import Page, vocabulary

ROLES = ("home", "about", "team", "products", "customers", "careers", "news", "contact")
"""Roles a page of a company's site may have, as in `evidence.Link`."""

_FILES = frozenset(
    "pdf doc docx xls xlsx ppt pptx zip gz tar rar 7z exe dmg msi apk png jpg jpeg gif svg webp ico bmp mp3"
    " mp4 mov avi webm wav css js json xml rss atom ics vcf csv txt woff woff2 ttf eps".split()
)
_TRAPS = frozenset(
    "login log-in logout log-out signin sign-in signout sign-out signup sign-up register anmelden abmelden"
    " cart checkout basket warenkorb panier carrito wp-admin wp-login wp-json xmlrpc cgi-bin account"
    " myaccount my-account password calendar kalender print share tag tags category author page search suche"
    " feed rss comment comments cdn-cgi wishlist compare download oauth sso auth unsubscribe"
    " replytocom".split()
)
_TRACKING = frozenset("gclid fbclid msclkid mc_cid mc_eid hsctatracking ref source".split())
LANGUAGE_PATH = re.compile(
    r"^/([a-z]{2})(?:[-_](?:[a-z]{2}|han[st]|latn|cyrl))?(?=/|$)", re.IGNORECASE
)
_INDEX = re.compile(
    r"/(?:index|default|home|start|startseite|accueil|inicio)(?:\.\w{2,5})?/?$", re.IGNORECASE
)
_ENDING = re.compile(r"\.(?:html?|php|aspx?|jsp|cfm)$", re.IGNORECASE)
_MAX_LINKS = 3000


@dataclass(frozen=True, slots=True)
class Scored:
    """How well an address fits a role: 0-1."""

    role: str
    score: float


_NONE = Scored("other", 0.0)


def links_of(page: Page) -> tuple[Link, ...]:
    """Every distinct address that a page links to, in order, with its role on this site."""
    home = site_of(page.url)
    seen: dict[str, Link] = {}
    boards = names_board(anchor.url for anchor in page.anchors)
    for anchor in page.anchors:
        if not anchor.url.startswith("http") or anchor.url in seen:
            continue
        if boards and board_of(anchor.url):
            role = "job_board"
        elif site_of(anchor.url) == home:
            role = role_of(anchor.url, anchor.text).role
        else:
            role = "other"
        seen[anchor.url] = Link(anchor.url, role, anchor.text[:200])
        if len(seen) >= _MAX_LINKS:
            page.notes.append(f"Only the first {_MAX_LINKS} links were read.")
            break
    return tuple(seen.values())


@lru_cache(maxsize=4096)
def _site_of_host(host: str) -> str:
    return domain_of(f"https://{host}/") or host


def site_of(url: str) -> str:
    """The registrable domain of an address; the host itself on a shared platform or in numbers."""
    try:
        host = (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""
    return _site_of_host(host)


def clean_url(url: str) -> str:
    """An address without fragment, tracking parameters and an index file: one spelling of one page."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return url
    pairs = parse_qsl(parts.query, keep_blank_values=True)[:30]
    query = "&".join(f"{k}={v}" if v else k for k, v in pairs if not _is_tracking(k.lower()))
    path = re.sub(r"/{2,}", "/", parts.path) or "/"
    if not query:
        path = _INDEX.sub("/", path) if _INDEX.fullmatch(path) else path
    host = (parts.hostname or "").lower()
    netloc = host if port in {None, 80, 443} else f"{host}:{port}"
    return f"{parts.scheme}://{netloc}{path}{'?' + query if query else ''}"


def _is_tracking(name: str) -> bool:
    return name in _TRACKING or name.startswith(("utm_", "_hs"))


def is_trap(url: str) -> bool:
    """Addresses that a crawl gains nothing from: files, logins, calendars, filters, deep lists."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return True
    path = parts.path
    segments = [segment for segment in path.split("/") if segment]
    names = {segment.partition(".")[0].lower() for segment in segments}
    if path.rpartition(".")[2].lower() in _FILES or names & _TRAPS or len(url) > 300:
        return True
    repeated = len(segments) - len(set(segments)) >= 2
    pairs = [pair for pair in parts.query.split("&") if pair]
    faceted = len(pairs) > 1 or any(not _PLAIN_QUERY.match(pair) for pair in pairs)
    return faceted or repeated or len(segments) > 6


_PLAIN_QUERY = re.compile(
    r"^(?:p|id|page_id|lang|l|language|node|q?ref)=[\w-]{1,30}$", re.IGNORECASE
)


def role_of(url: str, text: str = "") -> Scored:
    """The role an address plays on its own site; `other` with score 0 when nothing speaks for one."""
    parts = urlsplit(url)
    path = LANGUAGE_PATH.sub("", unquote(parts.path))
    if (path in {"", "/"} or _INDEX.fullmatch(path)) and not parts.query:
        by_host = _by_host(parts.hostname or "")
        return by_host or Scored("home", 1.0)
    by_path, by_text = _by_path(path), _by_text(text)
    best = max(by_path, by_text, key=lambda found: found.score)
    if by_path.role == by_text.role != "other":
        best = Scored(by_path.role, min(1.0, by_path.score + 0.1))
    host = _by_host(parts.hostname or "")
    if host and (best.score < 0.5 or host.role == best.role):
        best = Scored(host.role, max(0.5, best.score))
    return best


def _by_path(path: str) -> Scored:
    """The last segment that is a role's word decides; deeper pages are details of it."""
    segments = (_ENDING.sub("", segment) for segment in path.split("/") if segment)
    names = [fold(segment.replace("_", "-")) for segment in segments]
    for index, name in enumerate(names):
        role = _words().get(name)
        if role is None:
            continue
        depth = len(names) - index - 1
        inner = _words().get(names[-1])
        if depth and inner and inner != role:
            return Scored(inner, 0.85)
        # Below it is an item of the list: a post, a product, a person.
        return Scored(role, (0.9, 0.45, 0.3)[min(depth, 2)] - 0.05 * min(index, 3))
    return _by_cue(set(names[-1].split()), 0.55) if names else _NONE


def _by_text(text: str) -> Scored:
    folded = fold(text)
    if not folded or len(folded) > 40:
        return _NONE
    role = _words().get(folded)
    return Scored(role, 0.8) if role else _by_cue(folded.split(), 0.4)


def _by_cue(words: Collection[str], score: float) -> Scored:
    """The role that one of a few words speaks for."""
    if len(words) > 4:
        return _NONE
    roles = (role for role, cues in _cues().items() if not cues.isdisjoint(words))
    return next((Scored(role, score) for role in roles), _NONE)


def _by_host(host: str) -> Scored | None:
    label = host.partition(".")[0]
    role = vocabulary()["hosts"].get(label)
    return Scored(role, 0.8) if role else None


@cache
def _words() -> dict[str, str]:
    """The role of each word that is a whole segment of a path or a whole link's text."""
    table = vocabulary()["roles"]
    return {
        fold(word): role
        for role in table
        for word in (*table[role]["slugs"], *table[role]["texts"])
    }


@cache
def _cues() -> dict[str, frozenset[str]]:
    table = vocabulary()["roles"]
    return {role: frozenset(fold(word) for word in table[role]["cues"]) for role in table}
