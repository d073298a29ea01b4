"""A page of a company's web site: its text, links, and what it says about the company.

Pure: bytes in, `Parsed` out. `read_page` also gives what only the workbench shows.
"""

from dataclasses import dataclass, field

from sightline.domain.evidence import Body, Link, Parsed, Passage
from sightline.sources.boards.addresses import board_of, board_page_url, names_board
from sightline.sources.website.addresses import find_addresses
from sightline.sources.website.company_names import legal_name_in
from sightline.sources.website.contacts import find_emails, find_phones
from sightline.sources.website.content import main_text
from sightline.sources.website.country import find_country
from sightline.sources.website.dates import published_at
from sightline.sources.website.document import Page
from sightline.sources.website.findings import Findings
from sightline.sources.website.json_ld import inner_nodes, text_of, types_of
from sightline.sources.website.language import language_of
from sightline.sources.website.links import links_of, role_of
from sightline.sources.website.metadata import (
    canonical_url,
    declared_language,
    feed_links,
    is_home,
    sitemap_links,
    title_of,
)
from sightline.sources.website.offerings import find_customers, find_products
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

VERSION = 4
"""Raised whenever the parser finds more or other things, so that stored pages are read anew."""

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
        if named:
            findings.add("legal_name", named[0], method="text", confidence=0.8, quote=named[1].text,
                         pointer=page.path_of(named[1].element))  # fmt: skip
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
    find_customers(page, findings, role=role, company=company)
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
    feeds = feed_links(page)
    for feed in feeds:
        announced = any(
            page.absolute(e.get("href")) == feed.url for e in page.rels.get("alternate", ())
        )
        findings.add(
            "feed_url",
            feed.url,
            method="link",
            confidence=0.9 if announced else 0.7,
            pointer="link[rel=alternate]" if announced else "a[href]",
        )
    links = links_of(page)
    boards: dict[tuple[str, str], str] = {}
    embedded = page.resources if names_board(page.resources) else []
    named = [(link.url, "a[href]") for link in links if link.role == "job_board"]
    for url, where in named + [(url, "script or iframe") for url in embedded]:
        board = board_of(url)
        if board:
            boards.setdefault(board, where)
    for (kind, token), where in boards.items():
        value = {"kind": kind, "token": token, "url": board_page_url(kind, token)}
        sure = 0.9 if len(boards) == 1 else 0.7
        findings.add("job_board", value, method="link", confidence=sure, pointer=where)
    careers = [link for link in links if link.role == "careers"]
    if careers:
        best = max(careers, key=lambda link: role_of(link.url, link.text).score)
        if role_of(best.url, best.text).score >= 0.75:
            findings.add(
                "careers_url",
                best.url,
                method="link",
                confidence=0.8,
                quote=best.text or None,
                pointer="a[href]",
            )
    urls = {feed.url for feed in feeds}
    hidden = tuple(
        Link(address, "job_board")
        for (kind, token), where in boards.items()
        if where != "a[href]" and (address := board_page_url(kind, token))
    )
    return (
        *feeds,
        *sitemap_links(page),
        *hidden,
        *(link for link in links if link.url not in urls),
    )
