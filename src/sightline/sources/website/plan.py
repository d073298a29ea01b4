"""Selects the pages of a site to read: at most 25, the most promising of each role first.

Candidates come from the home page's links and from sitemaps. The choice is the same for the same
input; it spends its pages on roles in turn, so that a hundred products do not crowd out the imprint.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from sightline.domain.evidence import Link
from sightline.sources.website.links import LANGUAGE_PATH, clean_url, is_trap, role_of, site_of

MAX_PAGES = 25
"""Pages read of one site, the home page included."""

SHARES = {
    "about": 4, "team": 4, "contact": 4, "careers": 3, "products": 5, "customers": 3, "news": 2, "home": 1,
}  # fmt: skip
"""At most so many pages of each role, in their order, while other roles have pages to offer."""

_SUBDOMAINS = frozenset(
    (
        "www careers career jobs karriere about corporate corp company investor investors ir news "
        "newsroom press presse media blog en de fr es us uk global"
    ).split()
)
_MIN_SCORE = 0.25
_SURE = 0.4


@dataclass(frozen=True, slots=True)
class Planned:
    """A page to read, its role and how surely it has it (0-1)."""

    url: str
    role: str
    score: float


def plan_crawl(
    home_url: str, links: Iterable[Link], *, sitemap_urls: Iterable[str] = ()
) -> list[Planned]:
    """Choose the pages to read, the home page first.

    Addresses on other sites, files, logins, calendars and filtered lists are never chosen, nor the same
    page in a second language.
    """
    home = clean_url(home_url)
    candidates: dict[str, Planned] = {}
    order: dict[str, int] = {}
    for link in links:
        _offer(link.url, link.text, home, candidates, order, bonus=0.05)
    for url in sitemap_urls:
        _offer(url, "", home, candidates, order, bonus=0.0)
    kept = _one_language(home, list(candidates.values()))
    return [Planned(home, "home", 1.0), *_choose(kept, order)]


def _offer(
    url: str, text: str, home: str, candidates: dict[str, Planned], order: dict[str, int], *,
    bonus: float,
) -> None:  # fmt: skip
    url = clean_url(url)
    if _key(url) == _key(home) or not is_of_site(url, home) or is_trap(url):
        return
    scored = role_of(url, text)
    if scored.role == "other" or scored.score < _MIN_SCORE:
        return
    key = _key(url)
    before = candidates.get(key)
    score = min(1.0, scored.score + bonus)
    order.setdefault(key, len(order))
    if before is None or score > before.score:
        candidates[key] = Planned(before.url if before else url, scored.role, score)


def _key(url: str) -> str:
    """One key for spellings of one page: scheme, www and a final slash do not count."""
    parts = urlsplit(url)
    host = (parts.hostname or "").removeprefix("www.")
    return f"{host}{parts.path.rstrip('/')}?{parts.query}"


def is_of_site(url: str, home: str) -> bool:
    """Whether an address is on the company's own site: its host, or a known kind of subdomain."""
    try:
        host, own = urlsplit(url).hostname or "", urlsplit(home).hostname or ""
    except ValueError:
        return False
    if host.removeprefix("www.") == own.removeprefix("www."):
        return True
    if site_of(url) != site_of(home):
        return False
    label = host.partition(".")[0]
    return label in _SUBDOMAINS or host == site_of(home)


def _one_language(home: str, candidates: list[Planned]) -> list[Planned]:
    """Drop translations: addresses that differ only in a language prefix other than the home page's."""
    own = _language(home)
    bare: dict[str, list[Planned]] = {}
    for planned in candidates:
        parts = urlsplit(planned.url)
        path = LANGUAGE_PATH.sub("", parts.path).rstrip("/")
        bare.setdefault(f"{parts.hostname}{path}?{parts.query}", []).append(planned)
    kept = []
    for same in bare.values():
        best = [each for each in same if _language(each.url) == own]
        english = [each for each in same if _language(each.url) in {"", "en"}]
        kept.append((best or english or same)[0])
    # A site whose home page is in no language folder: prefer what is in none or in English.
    plain = [each for each in kept if _language(each.url) in {own, "", "en"}]
    return plain if len(plain) >= 8 else kept


def _language(url: str) -> str:
    found = LANGUAGE_PATH.match(urlsplit(url).path)
    return found[1].lower() if found else ""


def _choose(candidates: list[Planned], order: dict[str, int]) -> list[Planned]:
    ranked = sorted(
        candidates,
        key=lambda p: (-p.score, urlsplit(p.url).path.count("/"), order[_key(p.url)], p.url),
    )
    by_role = {role: [page for page in ranked if page.role == role] for role in SHARES}
    # In rounds: the best page of each role, then the second... up to each role's share, then the rest.
    rounds = [
        page
        for depth in range(MAX_PAGES)
        for role in SHARES
        for page in by_role[role][depth : depth + 1]
    ]
    shared = {page.url for role in SHARES for page in by_role[role][: SHARES[role]]}
    # Over its share a role gets only pages that are surely of it.
    rest = [page for page in rounds if page.url not in shared and page.score >= _SURE]
    return [*(page for page in rounds if page.url in shared), *rest][: MAX_PAGES - 1]
