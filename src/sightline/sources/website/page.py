"""A page of a company's website: its text, links, and what it says about the company.

Pure: bytes in, `Parsed` out. `read_page` also gives what only the workbench shows.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import itemgetter

from sightline.domain.evidence import Body, Link, Parsed, Passage
from sightline.reading.language import language_of
from sightline.sources.boards.addresses import board_of, board_page_url, names_board
from sightline.sources.json_ld import inner_nodes, text_of, types_of
from sightline.sources.website.addresses import find_addresses
from sightline.sources.website.contacts import find_emails, find_phones
from sightline.sources.website.content import main_text
from sightline.sources.website.country import find_country
from sightline.sources.website.dates import published_at
from sightline.sources.website.document import Page, Structured
from sightline.sources.website.findings import Findings
from sightline.sources.website.links import links_of, role_of
from sightline.sources.website.logo import logo_links
from sightline.sources.website.metadata import (
    canonical_url,
    declared_language,
    feed_links,
    is_home,
    sitemap_links,
    title_of,
)
from sightline.sources.website.offerings import find_products
from sightline.sources.website.opening import NotAPage, open_page
from sightline.sources.website.organization import (
    find_description,
    find_logo,
    find_names,
    find_size_and_age,
    own_organization,
)
from sightline.sources.website.people import find_people
from sightline.sources.website.problems import PageProblem, page_problem
from sightline.sources.website.profiles import find_profiles
from sightline.sources.website.structured import read_structured
from sightline.sources.website.technologies import Technology, find_technologies
from sightline.sources.website.walk import take_apart

VERSION = 6
"""Raised whenever the parser finds more or other things, so that stored pages are read again."""

# A page that a script draws says in its head and structured data what it says.
_STILL_THE_PAGE = frozenset({"needs_script", "empty"})
_KINDS = {"AboutPage": "about", "ContactPage": "contact"}


@dataclass(frozen=True, slots=True)
class PageReading:
    """A parsed page with what the workbench and the crawl need besides."""

    parsed: Parsed
    role: str = "other"
    canonical: str | None = None
    problem: PageProblem | None = None
    structured: Structured = field(default_factory=Structured)
    technologies: tuple[Technology, ...] = ()


def parse_page(body: Body) -> Parsed:
    """What a page says. Never raises: what is not a page, or stands for one, says so in its notes."""
    return read_page(body).parsed


def read_page(body: Body) -> PageReading:
    """Parse a page and keep its role, problem, structured data and technologies."""
    try:
        opened = open_page(body)
    except NotAPage as refusal:
        return PageReading(Parsed(kind="page", text="", notes=(str(refusal),)))
    page = take_apart(body, opened)
    problem = page_problem(page)
    read_structured(page)
    technologies = tuple(find_technologies(page))
    if problem is not None and problem.kind not in _STILL_THE_PAGE:
        return _problem_reading(page, problem, technologies)
    if problem is not None:
        page.notes.append(f"{problem.kind}: {problem.reason}")
    role = _role(page)
    text = main_text(page, article_body=_article_body(page))
    language = language_of(
        text or " ".join(line.text for line in page.lines[:200]), declared=declared_language(page)
    )
    findings = _found_on(page, role, language, technologies)
    links = _all_links(page, findings)
    passages = (Passage(0, len(text), section=role),) if text else ()
    parsed = Parsed(
        kind="page",
        text=text,
        title=title_of(page),
        language=language,
        published_at=published_at(page, now=body.fetched_at),
        observations=findings.observations(text),
        passages=passages,
        links=links,
        notes=tuple(page.notes),
    )
    return PageReading(parsed, role, canonical_url(page), problem, page.structured, technologies)


def _problem_reading(
    page: Page, problem: PageProblem, technologies: tuple[Technology, ...]
) -> PageReading:
    """A page that stands for another gives no facts, only its words and the note."""
    text = "\n".join(line.text for line in page.lines)[:4000]
    note = f"{problem.kind}: {problem.reason}"
    links = links_of(page) if problem.kind == "coming_soon" else ()
    parsed = Parsed(
        kind="page",
        text=text,
        title=title_of(page),
        language=language_of(text, declared=declared_language(page)),
        links=links,
        notes=(*page.notes, note),
    )
    return PageReading(parsed, "other", canonical_url(page), problem, page.structured, technologies)


def _role(page: Page) -> str:
    """The page's own role: by its address, then its kind in structured data, then its headline."""
    if is_home(page):
        return "home"
    by_url = role_of(page.url)
    if by_url.score >= 0.5:
        return by_url.role
    kinds = [kind for node in page.structured.nodes for kind in sorted(types_of(node.data))]
    said = next((_KINDS[kind] for kind in kinds if kind in _KINDS), None)
    if said or any(kind.endswith(("Article", "BlogPosting")) for kind in kinds):
        return said or "news"
    headline = next((line.text for line in page.lines if line.level == 1), "")
    ways = ((role_of(page.url, headline), 0.8), (by_url, 0.3))
    return next((way.role for way, least in ways if way.score >= least), "other")


def _article_body(page: Page) -> str | None:
    bodies = [
        text
        for node in page.structured.nodes
        for inner in inner_nodes(node.data)
        if (text := text_of(inner.get("articleBody")))
    ]
    return max(bodies, key=len, default=None)


_FINDERS = (
    find_names, find_description, find_logo, find_profiles, find_addresses, find_phones, find_country,
    find_emails, find_size_and_age, find_people, find_products,
)  # fmt: skip
"""In this order: a country is concluded from names and addresses, a phone's from addresses."""


def _found_on(page: Page, role: str, language: str | None, used: Iterable[Technology]) -> Findings:
    found = Findings(page, own_organization(page), role, language)
    for find in _FINDERS:
        find(found)
    for each in used:
        value = {
            part: getattr(each, part) for part in ("name", "vendor", "category", "evidence_kind")
        }
        pointer = f"{each.evidence_kind}: {each.evidence}"
        found.add("technology", value, method=each.evidence_kind, confidence=each.confidence,
                  pointer=pointer)  # fmt: skip
    return found


def _all_links(page: Page, findings: Findings) -> tuple[Link, ...]:
    """Links of the page with feeds, sitemaps and boards; boards and careers become observations."""
    feeds = {feed.url: feed for feed in feed_links(page)}
    announced = {page.absolute(each.get("href")) for each in page.rels.get("alternate", ())}
    for url in feeds:
        where, sure = ("link[rel=alternate]", 0.9) if url in announced else ("a[href]", 0.7)
        findings.add("feed_url", url, method="link", confidence=sure, pointer=where)
    links = links_of(page)
    embedded = _boards(page, links, findings)
    _careers(links, findings)
    others = (link for link in links if link.url not in feeds)
    logos = logo_links(page, findings.value("logo_url"))
    return (*feeds.values(), *sitemap_links(page), *logos, *embedded, *others)


def _boards(page: Page, links: tuple[Link, ...], findings: Findings) -> list[Link]:
    """Record the boards of links, scripts and frames; the addresses of those that no link leads to."""
    embedded = page.resources if names_board(page.resources) else []
    places = [(link.url, "a[href]") for link in links if link.role == "job_board"]
    boards: dict[tuple[str, str], str] = {}
    for url, where in places + [(url, "script or iframe") for url in embedded]:
        if board := board_of(url):
            boards.setdefault(board, where)
    hidden = []
    for (kind, token), where in boards.items():
        address = board_page_url(kind, token)
        value = {"kind": kind, "token": token, "url": address}
        sure = 0.9 if len(boards) == 1 else 0.7
        findings.add("job_board", value, method="link", confidence=sure, pointer=where)
        if address and where != "a[href]":
            hidden.append(Link(address, "job_board"))
    return hidden


def _careers(links: tuple[Link, ...], findings: Findings) -> None:
    """Record the link that is most surely to the page of careers."""
    scored = [
        (role_of(link.url, link.text).score, link) for link in links if link.role == "careers"
    ]
    score, best = max(scored, key=itemgetter(0), default=(0.0, None))
    if best is not None and score >= 0.75:
        findings.add("careers_url", best.url, method="link", confidence=0.8, quote=best.text or None,
                     pointer="a[href]")  # fmt: skip
