"""A page of a company's web site: its text, links, and what it says about the company.

Pure: bytes in, `Parsed` out. `read_page` also gives what only the workbench shows.
"""

from dataclasses import dataclass, field
from operator import itemgetter

from sightline.domain.evidence import Body, Link, Parsed, Passage
from sightline.sources.boards.addresses import board_of, board_page_url, names_board
from sightline.sources.json_ld import inner_nodes, text_of, types_of
from sightline.sources.website.addresses import find_addresses
from sightline.sources.website.company_names import legal_name_in
from sightline.sources.website.contacts import find_emails, find_phones
from sightline.sources.website.content import main_text
from sightline.sources.website.country import find_country
from sightline.sources.website.dates import published_at
from sightline.sources.website.document import Page
from sightline.sources.website.findings import Findings
from sightline.sources.website.language import language_of
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
from sightline.sources.website.structured import Structured, read_structured
from sightline.sources.website.technologies import Technology, find_technologies
from sightline.sources.website.walk import take_apart

VERSION = 6
"""Raised whenever the parser finds more or other things, so that stored pages are read again."""

# A page that a script draws says in its head and structured data what it says.
_STILL_THE_PAGE = frozenset({"needs_script", "empty"})


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
    """What a page says. Never raises: what is no page, or stands for one, says so in its notes."""
    return read_page(body).parsed


def read_page(body: Body) -> PageReading:
    """Parse a page and keep its role, problem, structured data and technologies."""
    try:
        opened = open_page(body)
    except NotAPage as refusal:
        return PageReading(Parsed(kind="page", text="", notes=(str(refusal),)))
    page = take_apart(body, opened)
    problem = page_problem(page)
    data = read_structured(page)
    technologies = tuple(find_technologies(page))
    if problem is not None and problem.kind not in _STILL_THE_PAGE:
        return _problem_reading(page, problem, data, technologies)
    if problem is not None:
        page.notes.append(f"{problem.kind}: {problem.reason}")
    role = _role(page, data)
    text = main_text(page, article_body=_article_body(data))
    language = language_of(
        text or " ".join(line.text for line in page.lines[:200]), declared=declared_language(page)
    )
    findings = Findings()
    _find_all(page, data, findings, role=role, language=language, technologies=technologies)
    links = _all_links(page, findings)
    passages = (Passage(0, len(text), section=role),) if text else ()
    parsed = Parsed(
        kind="page",
        text=text,
        title=title_of(page),
        language=language,
        published_at=published_at(page, data, now=body.fetched_at),
        observations=findings.observations(text),
        passages=passages,
        links=links,
        notes=tuple(page.notes),
    )
    return PageReading(parsed, role, canonical_url(page), problem, data, technologies)


def _problem_reading(
    page: Page, problem: PageProblem, data: Structured, technologies: tuple[Technology, ...]
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
    return PageReading(parsed, "other", canonical_url(page), problem, data, technologies)


def _role(page: Page, data: Structured) -> str:
    """The page's own role: by its address, then its kind in structured data, then its headline."""
    if is_home(page):
        return "home"
    by_url = role_of(page.url)
    if by_url.score >= 0.5:
        return by_url.role
    for node in data.nodes:
        kinds = types_of(node.data)
        if "AboutPage" in kinds:
            return "about"
        if "ContactPage" in kinds:
            return "contact"
    if any(
        name.endswith(("Article", "BlogPosting"))
        for node in data.nodes
        for name in types_of(node.data)
    ):
        return "news"
    headline = next((line.text for line in page.lines if line.level == 1), "")
    by_headline = role_of(page.url, headline)
    if by_headline.score >= 0.8:
        return by_headline.role
    return by_url.role if by_url.score >= 0.3 else "other"


def _article_body(data: Structured) -> str | None:
    bodies = [
        text
        for node in data.nodes
        for inner in inner_nodes(node.data)
        if (text := text_of(inner.get("articleBody")))
    ]
    return max(bodies, key=len, default=None)


def _find_all(
    page: Page, data: Structured, findings: Findings, *, role: str, language: str | None,
    technologies: tuple[Technology, ...],
) -> None:  # fmt: skip
    own = own_organization(page, data)
    find_names(page, own, data, findings)
    if role == "contact":
        named = legal_name_in([line for line in page.lines if line.region == "main"])
        if named is not None:
            findings.in_line("legal_name", *named, 0.8)
    company = findings.value("company_name") or findings.value("legal_name")
    find_description(page, own, findings)
    find_logo(page, own, findings)
    find_profiles(page, own, findings)
    addresses = find_addresses(page, own, data, findings, role=role, language=language)
    find_phones(page, own, addresses, findings, role=role)
    if role in {"home", "contact", "about", "team", "careers"}:
        find_country(page, findings, role=role, language=language)
    find_emails(page, own, findings)
    find_size_and_age(page, own, findings, role=role)
    find_people(page, own, data, findings, role=role, company=company)
    find_products(page, own, data, findings, role=role)
    for technology in technologies:
        value = {
            "name": technology.name,
            "vendor": technology.vendor,
            "category": technology.category,
            "evidence_kind": technology.evidence_kind,
        }
        findings.add("technology", value, method=technology.evidence_kind, confidence=technology.confidence,
                     pointer=f"{technology.evidence_kind}: {technology.evidence}")  # fmt: skip


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
