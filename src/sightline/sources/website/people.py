"""People whom a company presents as its own, with their titles.

Precision first: a name counts only beside a title, on a page or under a heading about the team, or
in structured data and imprints. Authors, and customers who are quoted, are not the company's people.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice, pairwise
from typing import Any

from sightline.domain.contacts import without_degrees
from sightline.domain.names import fold
from sightline.reading.people import name_words
from sightline.sources.json_ld import address_of, inner_nodes, text_of, types_of
from sightline.sources.website.document import (
    Line,
    Node,
    Page,
    Structured,
    vocabulary,
    words_pattern,
)
from sightline.sources.website.findings import Findings

# What one says to people; a doctor is one in print as well.
_COURTESY = re.compile(r"^(?:Mr|Mrs|Ms|M|Mme|Sr|Sra|Herrn?|Frau)\.?\s+")
_SPLIT = re.compile(r"\s*(?:,|\s[–—-]\s|\||\s?•\s?|:\s|\()\s*")
_AT = re.compile(r"\b(?:at|@|bei|chez|of the)\s+([A-ZÀ-Þ][\w&.-]*(?: [A-Z][\w&.-]*){0,3})\s*$")
_REPRESENTED = re.compile(
    r"(?:(?<=\s)|^)(?:vertreten durch|represented by|représentée? par)\s+"
    r"(?:(?:den|die|ihren|ihre|its|the|son|sa)\s+)?([^:]{5,150})$",
    re.IGNORECASE,
)
_LIST = re.compile(r"\s*(?:,|;|\bund\b|\band\b|\bet\b|\by\b|&|/)\s*")
_LABEL = re.compile(r"[^\W\d_][^\d_@:!?.…]*[^\W\d_)]")
_ASIDES = re.compile(r"\([^)]*\)|^\W+|\W+$")
_IN_SENTENCES = frozenset(
    "is are was we our you your he she has have will ist sind wir unsere est sont nous".split()
)
_TESTIMONIALS = ("testimonial", "quote", "review")
# What an organization's data call its people, and the title that follows where none is given.
_OF_ORGANIZATION = {
    "founder": "Founder", "founders": "Founder", "employee": None, "employees": None, "member": None,
}  # fmt: skip
_MAX_TITLE = 110
_MAX_PEOPLE = 120
_MAX_LINES = 4000


Put = Callable[[str, Any, float], None]
"""Takes a field, its value and how sure it is."""


@dataclass(frozen=True, slots=True)
class Card:
    """A name and a title found side by side."""

    name: str
    title: str
    line: Line


def find_people(found: Findings) -> None:
    """All people; the officer whose title is the chief executive's also fills `ceo`."""
    if found.own is not None:
        _of_organization(found.own, found)
    if not _is_article(found.page.structured):
        if found.role in {"team", "about", "contact"}:
            _structured(found)
        sure = 0.75 if found.role == "team" else 0.65
        for card in islice(_cards(found), _MAX_PEOPLE):
            _add(card.name, card.title, sure, _in_line(card.line, found))
    if found.role in {"contact", "about"}:
        _imprint(found)


def _add(name: str, title: str | None, sure: float, put: Put, **more: str | None) -> None:
    """Record a person, and the chief executive as one; the role follows from the title."""
    name = without_degrees(_COURTESY.sub("", name.strip(" ,")))
    put("person", {"name": name, "title": title, "role": role_of_title(title), **more}, sure)
    chief, other = words_pattern("titles", "chief_executive"), words_pattern("titles", "not_chief")
    if title and chief.search(title) and not other.search(title):
        put("ceo", name, sure - 0.05)


def _in_line(line: Line, found: Findings) -> Put:
    return lambda field, value, sure: found.in_line(field, value, line, sure)


def _in_data(node: Node, key: str, found: Findings) -> Put:
    return lambda field, value, sure: found.in_data(field, value, node, key, sure)


def role_of_title(title: str | None) -> str:
    """officer, director (of the board), founder or team, as `domain.fields` names them."""
    if not title:
        return "team"
    if words_pattern("titles", "founder").search(title):
        return "founder"
    if words_pattern("titles", "board").search(title):
        return "director"
    return "officer" if words_pattern("titles", "officer").search(title) else "team"


def is_name(text: str) -> bool:
    """Whether a short text is spelled as a person's name and holds no word that names are not made of."""
    text = text.strip()
    words = name_words(text) if 5 <= len(text) <= 60 else ()
    if not words or (text.isupper() and len(words) > 3):
        return False
    if words_pattern("titles", "any").search(text):
        return False
    return _not_name_words().isdisjoint(fold(" ".join(words)).split())


@cache
def _not_name_words() -> frozenset[str]:
    words: list[str] = vocabulary()["titles"]["not_name"]
    return frozenset(words)


def is_title(text: str) -> bool:
    """Whether a short text says what a person does."""
    return (
        2 <= len(text) <= _MAX_TITLE
        and words_pattern("titles", "any").search(text) is not None
        and not text.endswith(("!", "?", ":"))
        and len(text.split()) <= 14
        and text[-1:] != "."
        and _IN_SENTENCES.isdisjoint(fold(text).split())
    )


def _structured(found: Findings) -> None:
    """Persons with a title, wherever the data have them."""
    for top in found.page.structured.nodes:
        for node in inner_nodes(top.data):
            name, job = text_of(node.get("name")) or "", text_of(node.get("jobTitle"))
            if job and "Person" in types_of(node) and is_name(name):
                where = map(address_of, (node.get("url"), node.get("image")))
                url, image = map(found.page.absolute, where)
                _add(name, job, 0.85, _in_data(top, "jobTitle", found), url=url, image_url=image)


def _of_organization(own: Node, found: Findings) -> None:
    """Founders and employees of the organization."""
    for key, title in _OF_ORGANIZATION.items():
        values = own.data.get(key)
        for each in values if isinstance(values, list) else [values]:
            job = text_of(each.get("jobTitle")) if isinstance(each, dict) else None
            if is_name(name := text_of(each) or ""):
                _add(name, job or title, 0.9, _in_data(own, key, found))


def _is_article(data: Structured) -> bool:
    return any(
        name.endswith(("Article", "BlogPosting", "Recipe"))
        for node in data.nodes
        for name in types_of(node.data)
    )


def _cards(found: Findings) -> Iterator[Card]:
    lines = [line for line in _team_lines(found.page, found.role) if not _quoted(line)]
    company = found.value("company_name") or found.value("legal_name")
    names: set[str] = set()
    for card in [*_adjacent(lines), *_one_line(lines)]:
        if fold(card.name) not in names and not _of_another(card.title, company):
            names.add(fold(card.name))
            yield card


def _team_lines(page: Page, role: str) -> Iterator[Line]:
    """The lines that are about the team: all of a team page, elsewhere those under such a heading."""
    main = [line for line in page.lines[:_MAX_LINES] if line.region in {"main", "aside", "header"}]
    if role == "team":
        yield from main
    if role not in {"about", "home", "contact"}:
        return
    heading = words_pattern("titles", "team_headings")
    inside = 0
    for line in main:
        if line.level and len(line.text) <= 80 and heading.search(line.text):
            inside = line.level
            continue
        if 0 < line.level <= inside and not is_name(line.text):
            inside = 0
        if inside:
            yield line


def _quoted(line: Line) -> bool:
    """Whether a line stands in a testimonial."""
    around = [line.element, *islice(line.element.iterancestors(), 4)]
    names = [(each.get("class") or "").lower() for each in around]
    return any(each.tag == "blockquote" for each in around) or any(
        word in name for name in names for word in _TESTIMONIALS
    )


def _adjacent(lines: list[Line]) -> list[Card]:
    """Names with the title on the next line, or on the line before: whichever the page does more often."""
    kinds = [_kind(line.text) for line in lines]
    pairs = list(pairwise(zip(lines, kinds, strict=True)))
    # What is set as the titles of others are is a title too, though its words are those of no list.
    settings = {
        (_setting(name), _setting(title))
        for (name, kind), (title, other) in pairs
        if (kind, other) == ("name", "title")
    }
    after = [
        Card(name.text, title.text, name)
        for (name, kind), (title, other) in pairs
        if kind == "name"
        and (
            other == "title"
            or (
                not other
                and (_setting(name), _setting(title)) in settings
                and _is_label(title.text)
            )
        )
    ]
    before = [
        Card(name.text, title.text, name)
        for (title, other), (name, kind) in pairs
        if (kind, other) == ("name", "title")
    ]
    return after if len(after) >= len(before) else before


def _kind(text: str) -> str:
    return "name" if is_name(text) else "title" if is_title(text) else ""


def _setting(line: Line) -> tuple[str, str]:
    return str(line.element.tag), line.element.get("class") or ""


def _is_label(text: str) -> bool:
    """A few words that are no sentence, address or number."""
    return (
        3 <= len(text) <= 50
        and len(text.split()) <= 5
        and text[0].isupper()
        and _LABEL.fullmatch(text) is not None
    )


def _one_line(lines: list[Line]) -> Iterator[Card]:
    """ "Jane Doe, Chief Executive Officer" and "Jane Doe – CEO"."""
    for line in lines:
        if not 8 <= len(line.text) <= 130:
            continue
        parts = _SPLIT.split(line.text, maxsplit=1)
        if len(parts) < 2:
            continue
        name, title = parts[0], parts[1].rstrip(")")
        degree, _, behind = title.partition(" ")
        # "Jane Doe, Ph.D. Chief Scientist": the degree is part of the name.
        if "." in degree and without_degrees(f"{name}, {degree}") == name:
            title = behind
        if is_name(name) and is_title(title):
            yield Card(name, title, line)


def _of_another(title: str, company: str | None) -> bool:
    """Whether a title names another company: "CMO at Other Corp" is one of a customer."""
    other = _AT.search(title)
    if other is None:
        return False
    return not company or (
        fold(other[1]) not in fold(company) and fold(company) not in fold(other[1])
    )


def _imprint(found: Findings) -> None:
    """ "Geschäftsführer: Erika Beispiel, Max Beispiel" and the like, as imprints must state."""
    as_title = words_pattern("titles", "represented_as")
    for index, line in enumerate(found.page.lines):
        if len(line.text) > 220:
            continue
        following = found.page.lines[index + 1 : index + 3]
        label, names, at = _represented(line, following)
        title = as_title.search(f"{label} {names}")
        if title is None and at is not line and len(following) > 1:
            title = as_title.fullmatch(following[1].text.strip(" ()"))
        names = _ASIDES.sub("", as_title.sub(" ", names))
        for name in _LIST.split(names):
            if is_name(name := _COURTESY.sub("", name.strip(" :.,"))):
                _add(name, title[0].strip(" :") if title else None, 0.85, _in_line(at, found))


def _represented(line: Line, following: list[Line]) -> tuple[str, str, Line]:
    """Of a line that says who represents the company: label, names, the line of the names; or ""s."""
    sentence = _REPRESENTED.search(line.text)
    if sentence and words_pattern("titles", "represented_as").sub("", sentence[1]).strip(" :."):
        return "", sentence[1], line
    label, _, names = (part.strip() for part in line.text.partition(":"))
    if len(label) > 60 or not words_pattern("titles", "represented_by").search(label):
        return "", "", line
    if names:
        return label, names, line
    return (label, following[0].text, following[0]) if following else ("", "", line)
