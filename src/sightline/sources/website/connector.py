"""A company's own website: the home page identifies it, up to 25 pages describe it, its logo is kept."""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from urllib.parse import urljoin, urlsplit

from sightline.domain.evidence import Link
from sightline.kit.fetch.errors import RobotsForbid
from sightline.sources.contract import (
    Candidate,
    Context,
    Document,
    Query,
    RecordIsUnusable,
    Source,
    SourceIsAway,
    Target,
    read_manifest,
)
from sightline.sources.same_company import is_same_name
from sightline.sources.website.links import site_of
from sightline.sources.website.logo import VERSION as LOGO_VERSION
from sightline.sources.website.logo import parse_logo
from sightline.sources.website.page import VERSION
from sightline.sources.website.plan import MAX_PAGES, is_of_site, plan_crawl
from sightline.sources.website.site_pages import (
    Owner,
    parse_home,
    parse_page,
    parse_site_map,
    problem_in,
    stated_name,
)

# A site of several languages may have no page at its root.
_ENGLISH = ("en/", "en")
_MOST_SITEMAPS = 4
_MOST_FAILURES_IN_A_ROW = 3
_MISSING_FOR = timedelta(days=7)


async def find(context: Context, query: Query) -> Sequence[Candidate]:
    """The company whose site answers at the domain, by the name that the site gives itself."""
    if query.domain is None:
        return []
    names = (query.name,) if query.name else ()
    home = await _home(context, Owner((query.domain,), names), about=False)
    if home is None or home.parsed is None:
        return []
    name = stated_name(home.parsed) or query.name
    if name is None:
        context.note(f"{query.domain} answers, but its home page does not say whose it is.")
        return []
    own = {o.field: o.value for o in home.parsed.observations}
    if "website_domain" not in own:
        return []
    return [
        Candidate(
            source="website",
            key=query.domain,
            name=name,
            names=names if query.name and is_same_name(name, names, domain=query.domain) else (),
            domain=query.domain,
            domains=(str(own["website_domain"]),),
            country_code=own.get("country_code"),
            city=own.get("hq_city"),
        )
    ]


async def collect(context: Context, target: Target) -> None:
    """Home page, sitemaps, then the pages of the plan. One that fails is noted and left out."""
    assert target.domain is not None
    names = tuple(dict.fromkeys((target.name, *target.names)))
    owner = Owner(target.domains or (target.domain,), names)
    home = await _home(context, owner, about=True)
    if home is None:
        return
    if site_of(home.url) not in owner.domains:
        if not home.links:
            return  # another company's; the note says whose
        owner = Owner((*owner.domains, site_of(home.url)), names)
    await _Crawl(context, home, owner).run()


async def _home(context: Context, owner: Owner, *, about: bool) -> Document | None:
    """The home page: over https, with and without www, then over http; where all of these have no page,
    that of its English part. None when there is none.

    Raises SourceIsAway or RecordIsUnusable with the first failure when none of them answers.
    """
    domain = owner.domains[0]
    failure: Exception | None = None
    plain = (f"https://{domain}/", f"https://www.{domain}/", f"http://{domain}/")
    addresses = (*plain, *(address + path for path in _ENGLISH for address in plain[:2]))
    for address in addresses:
        if failure is not None and address not in plain:
            break
        try:
            found = await context.document(
                address, parse=partial(parse_home, owner=owner), version=VERSION, about=about,
                always_read=not about,
            )  # fmt: skip
        except (RecordIsUnusable, SourceIsAway) as error:
            failure = failure or error
            if isinstance(error.__cause__, RobotsForbid):
                break  # a site that asks to be left alone is not tried at its other addresses
            continue
        if found is not None:
            return _usable(context, found, domain)
    if failure is not None:
        raise failure
    context.note(f"No page answers at {domain}. Tried: {', '.join(addresses)}.")
    return None


def _usable(context: Context, home: Document, domain: str) -> Document | None:
    for note in home.notes:
        if note.startswith(f"{domain} leads") or note.startswith("The domain leads"):
            context.note(note)
    problem = problem_in(home.notes)
    if problem is not None:
        raise RecordIsUnusable(f"The home page of {domain} cannot be used. {problem}")
    if home.parsed is not None and not home.parsed.text and not home.parsed.observations:
        reason = home.notes[0] if home.notes else "It holds nothing that can be read."
        raise RecordIsUnusable(f"The home page of {domain} cannot be used. {reason}")
    return home


class _Crawl:
    """One reading of a site: `read` are its pages so far, by address."""

    def __init__(self, context: Context, home: Document, owner: Owner) -> None:
        self._context = context
        self._owner = owner
        self._home = home
        self._asked = {home.url}
        self._links: list[Link] = list(home.links)
        self._sitemap_urls: list[str] = []
        self._failures = 0
        self._closed = 0

    async def run(self) -> None:
        """Read by the plan made of the home page and sitemaps, then by what those pages added."""
        await self._read_sitemaps()
        for _ in range(2):
            plan = plan_crawl(self._home.url, self._links, sitemap_urls=self._sitemap_urls)
            for page in plan:
                if page.url in self._asked or len(self._asked) >= MAX_PAGES:
                    continue
                self._asked.add(page.url)
                await self._read(page.url)
        if self._closed:
            self._context.note(f"{self._closed} pages are closed to robots and were not read.")
        await self._read_logo()

    async def _read_logo(self) -> None:
        """Keep the first picture among those that may be the logo. A site without one is no failure."""
        for link in self._home.links:
            if link.role != "logo":
                continue
            try:
                found = await self._context.document(
                    link.url, parse=parse_logo, version=LOGO_VERSION, missing_for=_MISSING_FOR
                )
            except (RecordIsUnusable, SourceIsAway):
                continue
            if found is not None:
                return

    async def _read(self, url: str) -> None:
        try:
            found = await self._context.document(
                url, parse=partial(parse_page, owner=self._owner), version=VERSION
            )
        except (RecordIsUnusable, SourceIsAway) as error:
            self._note_failure(error)
            return
        self._failures = 0
        if found is not None:
            self._asked.add(found.url)
            self._links += found.links

    async def _read_sitemaps(self) -> None:
        root = urljoin(self._home.url, "/sitemap.xml")
        named = [link.url for link in self._home.links if link.role == "sitemap"]
        waiting = list(dict.fromkeys([*named, root]))
        asked: set[str] = set()
        while waiting and len(asked) < _MOST_SITEMAPS:
            url = waiting.pop(0)
            if url in asked or not is_of_site(url, self._home.url):
                continue
            asked.add(url)
            try:
                found = await self._context.document(
                    url, parse=parse_site_map, version=VERSION, about=False,
                    missing_for=_MISSING_FOR,
                )  # fmt: skip
            except (RecordIsUnusable, SourceIsAway):
                continue  # the home page's links lead on without it
            for link in found.links if found else ():
                if link.role == "sitemap":
                    waiting.append(link.url)
                else:
                    self._sitemap_urls.append(link.url)
            waiting.sort(key=_lists_posts)

    def _note_failure(self, error: Exception) -> None:
        """Raises SourceIsAway when the site has stopped answering."""
        if isinstance(error.__cause__, RobotsForbid):
            self._closed += 1
            return
        self._context.note(str(error))
        if isinstance(error, SourceIsAway):
            self._failures += 1
            if self._failures >= _MOST_FAILURES_IN_A_ROW:
                raise SourceIsAway(f"The site stopped answering. {error}") from error


def _lists_posts(url: str) -> bool:
    """Sitemaps of posts, tags and products come after those of pages."""
    words = urlsplit(url).path.lower()
    return any(word in words for word in ("post", "tag", "product", "category", "image", "video"))


WEBSITE = Source(
    read_manifest("sightline.sources.website"),
    collect,
    find,
    applies=lambda target: target.domain is not None,
)
