"""English documents of a recorded web as text with sections, for drawing sentences that people label."""

import csv
import gzip
import hashlib
import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from sightline.domain.evidence import Body
from sightline.reading.language import language_of
from sightline.sources.feeds.parse import parse
from sightline.sources.sec_edgar.filing import Filing, NotAFiling, read_filing
from sightline.sources.sec_edgar.passages import passages
from sightline.sources.sec_edgar.press_release import headline_of
from sightline.sources.website.page import parse_page

Group = Literal["8-K", "10-K", "news", "site"]

_WANTED = {"1", "1A", "1C", "3", "7", "9B"} | {
    f"part{part}item{item}" for part, item in (("1", "2"), ("2", "1"), ("2", "1A"), ("2", "5"))
}
_WANTED_NOTES = re.compile(
    r"subsequent|restructur|acqui|business combination|divest|discontinued|contingenc|legal|debt",
    re.I,
)
_PART = re.compile(r"part(\d)item(.+)")
_LEGAL_FORM = (
    r"(?:Inc(?:orporated)?|Corp(?:oration)?|Ltd|Limited|LLC|plc|AG|GmbH|S\.A\.|N\.V\.|Company|Co)"
)
_NAME = r"[A-Z][\w&’'-]*(?: (?:of |& )?[A-Z][\w&’'-]*){0,3}"
_WITH_FORM = re.compile(rf"\b({_NAME}),? {_LEGAL_FORM}\b\.?")
_IN_TITLE = re.compile(rf"\b{_NAME}")
_TAIL = re.compile(rf",?\s+{_LEGAL_FORM}\b.*$", re.I)
_A_COMPANY = (
    r"(?:company|start-?up|firm|maker|retailer|bank|airline|chain|manufacturer|provider|giant)"
)


@dataclass(frozen=True, slots=True)
class Part:
    """Characters `start` up to the next part's; `kind` is None where no sentence is wanted."""

    start: int
    kind: str | None
    heading: str | None


@dataclass(frozen=True, slots=True)
class Document:
    """One text; `company` is whom it is about, None for general news."""

    url: str
    group: Group
    company: str | None
    text: str
    parts: tuple[Part, ...]
    sealed: bool

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()

    def part_at(self, offset: int) -> Part:
        at = bisect_right(self.parts, offset, key=lambda part: part.start)
        return self.parts[max(0, at - 1)]


def _hex(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Archive:
    """The recorded web below `data`, and who in it is for first sight only. `wanted`: the addresses that
    are read at all; None for every one."""

    data: Path
    companies: list[dict[str, Any]]
    sealed_ciks: frozenset[str]
    sealed_names: tuple[str, ...]
    wanted: frozenset[str] | None = None

    @classmethod
    def open(cls, data: Path, wanted: frozenset[str] | None = None) -> "Archive":
        sealed = json.loads((data / "sealed.json").read_text(encoding="utf-8"))["companies"]
        return cls(
            data,
            json.loads((data / "companies.json").read_text(encoding="utf-8")),
            frozenset(each["cik"] for each in sealed),
            tuple(each["name"].removesuffix(" Group") for each in sealed),
            wanted,
        )

    def wants(self, url: str) -> bool:
        return self.wanted is None or url in self.wanted

    def sealed_domain(self, domain: str) -> bool:
        """Sealed are domains of which the hash begins with 0 to 7, and those of sealed companies."""
        bare = domain.removeprefix("www.")
        named = {each["domain"] for each in self.companies if each["cik"] in self.sealed_ciks}
        return bare in named or any(_hex(each)[0] in "01234567" for each in {domain, bare})

    def body(self, row: dict[str, Any]) -> bytes:
        content = (self.data / "web" / row["file"]).read_bytes()
        return gzip.decompress(content) if row["encoding"] == "gzip" else content

    def documents(self) -> Iterator[Document]:
        """Every English document with text, by kind: filings, company sites, news, feeds."""
        yield from _filings(self)
        yield from _loose_filings(self)
        pages = _company_pages(self.companies)
        names = _Names(self.companies)
        with (self.data / "web" / "index.jsonl").open(encoding="utf-8") as rows:
            for line in rows:
                row = json.loads(line)
                kind = row["kind"]
                is_read = kind == "feed" or self.wants(row["url"])
                if row["status"] != 200 or row["method"] != "GET" or not is_read:
                    continue
                if kind.startswith("company ") or kind == "careers page":
                    yield from _site_page(self, row, pages.get(row["url"]))
                elif kind in {"news article", "web page"}:
                    yield from _news(self, names, row)
                elif kind == "feed":
                    yield from _feed(self, names, row)


def _filings(archive: Archive) -> Iterator[Document]:
    """8-K, 10-K and 10-Q, and the press releases of full submissions."""
    with (archive.data / "web" / "filings.csv").open(newline="", encoding="utf-8") as rows:
        listed = {row["url"]: row for row in csv.DictReader(rows)}
    with (archive.data / "web" / "index.jsonl").open(encoding="utf-8") as rows:
        for line in rows:
            row = json.loads(line)
            form = row["kind"].removesuffix(" (full text)")
            if form not in {"8-K", "10-K", "10-Q"} or row["status"] != 200:
                continue
            if not archive.wants(row["url"]):
                continue
            cik = urlsplit(row["url"]).path.split("/")[4].zfill(10)
            try:
                filing = read_filing(archive.body(row), name=row["url"], form=form)
            except NotAFiling:
                continue
            known = listed.get(row["url"], {}).get("company")
            company = known or company_in(filing.text)
            yield from filing_documents(
                filing, row["url"], form, company=company, sealed=cik in archive.sealed_ciks
            )


def _loose_filings(archive: Archive) -> Iterator[Document]:
    """Current reports kept without their address, of companies that are nowhere else: all sealed, as
    the sealed companies have no other."""
    folder = archive.data / "labelled" / "sec_forms"
    for place in [*sorted(folder.glob("8k_other/*.html")), *sorted(folder.glob("exhibits/*EX99*"))]:
        filing = read_filing(place.read_bytes(), form="EX-99.1" if "EX99" in place.name else "8-K")
        form = "8-K exhibit 99.1" if filing.form == "EX-99.1" else "8-K"
        registrant = company_in(filing.text)
        # The recorded web holds reports of these two, which are drawn for training.
        if not re.search(r"blackrock|nordstrom", place.name, re.I):
            url = place.relative_to(archive.data).as_posix()
            yield from filing_documents(filing, url, form, company=registrant, sealed=True)


def filing_documents(
    filing: Filing, url: str, form: str, *, company: str | None, sealed: bool
) -> Iterator[Document]:
    """The filing, and each press release that comes with it."""
    group: Group = "8-K" if form.startswith("8-K") else "10-K"
    parts = [Part(0, None, None)]
    for each in passages(filing):
        kind: str | None = form
        if each.section:
            kind = f"{form} {_section(each.section)}"
        elif filing.items:
            kind = None
        if group == "10-K" and each.section not in _WANTED:
            kind = kind if _WANTED_NOTES.search(each.heading or "") else None
        parts.append(Part(each.start, kind, each.heading))
    yield Document(url, group, company, filing.text, tuple(parts), sealed)
    for exhibit in filing.documents:
        if form == "8-K" and exhibit.type.upper().startswith("EX-99"):
            try:
                read = read_filing(exhibit.content, form=exhibit.type)
            except NotAFiling:
                continue
            headline = headline_of(read.text)
            part = Part(0, f"8-K exhibit {exhibit.type.upper().removeprefix('EX-')}", headline)
            yield Document(f"{url}#{exhibit.type}", group, company, read.text, (part,), sealed)


def _section(name: str) -> str:
    found = _PART.fullmatch(name)
    return f"part {found[1]} item {found[2]}" if found else f"item {name}"


def _company_pages(companies: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {
        url: company
        for company in companies
        if "web pages" in company["held"]
        for urls in company["held"]["web pages"].values()
        for url in urls
    }


def _body(row: dict[str, Any], content: bytes) -> Body:
    media = row["headers"].get("content-type", "").partition(";")[0].strip().lower()
    return Body(row["url"], content, media, None, row["headers"], datetime.now(UTC))


def _page(archive: Archive, row: dict[str, Any]) -> tuple[str, str | None]:
    """Text and title of a page; no text where it is not English or only stands for a page."""
    parsed = parse_page(_body(row, archive.body(row)))
    english = language_of(parsed.text, declared=parsed.language) == "en"
    return (parsed.text if english else ""), parsed.title


def _site_page(
    archive: Archive, row: dict[str, Any], company: dict[str, Any] | None
) -> Iterator[Document]:
    host = urlsplit(row["url"]).hostname or ""
    domain = company["domain"] if company else host
    text, title = _page(archive, row)
    news = row["kind"] == "company news page"
    if text and "contact or legal" not in row["kind"]:
        part = Part(0, "company news" if news else "site", title)
        group: Group = "news" if news else "site"
        name = company["name"] if company else domain.removeprefix("www.")
        sealed = archive.sealed_domain(domain) or archive.sealed_domain(host)
        yield Document(row["url"], group, name, text, (part,), sealed)


def _news(archive: Archive, names: "_Names", row: dict[str, Any]) -> Iterator[Document]:
    text, title = _page(archive, row)
    if text:
        yield _general(archive, names, Document(
            row["url"], "news", None, text, (Part(0, "news", title),), False
        ))  # fmt: skip


def _feed(archive: Archive, names: "_Names", row: dict[str, Any]) -> Iterator[Document]:
    feed = parse(_body(row, archive.body(row)))
    for item in feed.items:
        text = item.text if item.text.startswith(item.title) else f"{item.title}\n\n{item.text}"
        if language_of(text.strip(), declared=feed.language) == "en":
            yield _general(archive, names, Document(
                item.url or row["url"], "news", None, text.strip(), (Part(0, "feed", item.title),), False
            ))  # fmt: skip


def _general(archive: Archive, names: "_Names", document: Document) -> Document:
    """General news with the company that it is mostly about. Sealed is what is about a sealed company,
    and 15 % by address."""
    title = document.parts[0].heading or ""
    company, cik = names.of(title, document.text)
    sealed = (
        int(_hex(document.url)[:8], 16) % 100 < 15
        or cik in archive.sealed_ciks
        or any(name in title.replace("’", "'") for name in archive.sealed_names)
    )
    return replace(document, company=company, sealed=sealed)


class _Names:
    """Which company a text of general news is mostly about: only a hint for those who label."""

    def __init__(self, companies: Iterable[dict[str, Any]]) -> None:
        self._known: dict[str, tuple[str, str | None]] = {}
        for company in companies:
            label = (company["domain"] or "").partition(".")[0]
            name = _TAIL.sub("", company["name"])
            for alias in {name, name.title(), label.capitalize()}:
                if len(alias) > 3:
                    self._known[alias] = company["name"], company["cik"]
        every = "|".join(sorted(map(re.escape, self._known), key=len, reverse=True))
        self._mentions = re.compile(rf"(?<=[a-z,] )({every})\b")

    def of(self, title: str, text: str) -> tuple[str | None, str | None]:
        """The company's name, and its CIK where it is one of the archive's."""
        counted = Counter(match[1] for match in self._mentions.finditer(text))
        for alias, count in counted.most_common(1):
            if count >= 3 or (alias in title and count):
                return self._known[alias]
        for match in _IN_TITLE.finditer(title):
            name = re.escape(match[0])
            shown = rf"{_A_COMPANY} {name}\b|\b{name},? (?:is )?(?:an?|the) (?:[\w-]+ ){{0,4}}{_A_COMPANY}"
            if re.search(shown, text):
                return match[0], None
        return None, None


def company_in(sentence: str) -> str | None:
    """A name with a legal form in a sentence."""
    found = _WITH_FORM.search(sentence)
    return found[0] if found else None
