"""Wikidata items: search results, and what an item's statements say about a company.

Statements of deprecated rank are ignored; of the others those of preferred rank count before
the rest, then those that have not ended, then the latest point in time.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import quote

from sightline.domain.countries import country_from_text
from sightline.domain.evidence import Observation
from sightline.domain.industries import industry_from_text
from sightline.domain.names import fold
from sightline.domain.websites import read_website
from sightline.sources.bodies import json_object
from sightline.sources.wikidata.statements import (
    Statement,
    Statements,
    amount,
    first,
    latest,
    year_of,
)

_COMPANY_CLASSES = frozenset(
    {"Q4830453", "Q783794", "Q6881511", "Q891723", "Q43229", "Q167037", "Q163740", "Q18388277"}
    | {"Q1616075", "Q507619", "Q270791", "Q161726", "Q219577", "Q22687", "Q786820", "Q65966"}
)
_LANGUAGES = ("en", "mul", "de", "fr", "es", "it", "nl")
_SOCIAL = {
    "P2002": ("x", "https://x.com/{}"),
    "P2013": ("facebook", "https://www.facebook.com/{}"),
    "P2003": ("instagram", "https://www.instagram.com/{}"),
    "P2397": ("youtube", "https://www.youtube.com/channel/{}"),
    "P2037": ("github", "https://github.com/{}"),
}
_NAMED_IN = tuple("P452 P169 P159 P414 P749 P355 P112 P17 P1454 P488 P127 P1056".split())
_MOST_CHIEFS = 3
_ITEM = re.compile(r"Q[1-9]\d*")


class NotWikidata(ValueError):
    """The body is not an answer of Wikidata's API."""


@dataclass(frozen=True, slots=True)
class FoundItem:
    """One search result. `matched` is the label or alias that the query met."""

    id: str
    label: str
    description: str
    matched: str


@dataclass(frozen=True, slots=True)
class Entity:
    """A company's item. `references` are the items whose labels are needed to read it."""

    id: str
    label: str
    classes: tuple[str, ...]
    is_company: bool
    references: tuple[str, ...]
    wikipedia_url: str | None
    observations: tuple[Observation, ...]


def read_search(content: bytes) -> tuple[FoundItem, ...]:
    """The results of wbsearchentities in their order. Raises NotWikidata."""
    data = json_object(content, NotWikidata)
    rows = data.get("search")
    if not isinstance(rows, list):
        raise NotWikidata("The JSON object has no search.")
    return tuple(
        FoundItem(
            id=row["id"],
            label=str(row.get("label") or ""),
            description=str(row.get("description") or ""),
            matched=str((row.get("match") or {}).get("text") or row.get("label") or ""),
        )
        for row in rows
        if isinstance(row, dict) and _ITEM.fullmatch(str(row.get("id")))
    )


def read_labels(content: bytes) -> dict[str, str]:
    """The label of each item of a wbgetentities answer, English before others. Raises NotWikidata."""
    return {
        key: label
        for key, entity in _entities(content).items()
        if (label := _label(entity)) is not None
    }


def read_statement_search(content: bytes) -> tuple[str, ...]:
    """The items of a list=search answer (haswbstatement:...), best first. Raises NotWikidata."""
    query = json_object(content, NotWikidata).get("query")
    rows = query.get("search") if isinstance(query, dict) else None
    if not isinstance(rows, list):
        raise NotWikidata("The JSON object has no query.search.")
    titles = [str(row.get("title")) for row in rows if isinstance(row, dict)]
    return tuple(title for title in titles if _ITEM.fullmatch(title))


def read_entity(content: bytes, labels: Mapping[str, str] | None = None) -> Entity | None:
    """The first item of a wbgetentities or Special:EntityData answer, None when it is missing.

    `labels` names the items that statements refer to; what it lacks is left out (ask for them by
    `references` and read again). Raises NotWikidata.
    """
    return next(iter(read_entities(content, labels)), None)


def read_entities(content: bytes, labels: Mapping[str, str] | None = None) -> tuple[Entity, ...]:
    """All items of such an answer, in its order; as `read_entity`."""
    return tuple(
        _entity(entity, labels)
        for entity in _entities(content).values()
        if "missing" not in entity and _ITEM.fullmatch(str(entity.get("id")))
    )


def _entity(entity: dict[str, Any], labels: Mapping[str, str] | None) -> Entity:
    claims = entity.get("claims")
    statements = Statements(claims if isinstance(claims, dict) else {}, labels or {})
    classes = tuple(
        str(v["id"]) for v in statements.values("P31") if isinstance(v, dict) and "id" in v
    )
    site = entity.get("sitelinks")
    title = site.get("enwiki", {}).get("title") if isinstance(site, dict) else None
    references = {
        str(value["id"])
        for name in _NAMED_IN
        for value in statements.values(name)
        if isinstance(value, dict) and "id" in value
    }
    return Entity(
        id=entity["id"],
        label=_label(entity) or "",
        classes=classes,
        is_company=bool(_COMPANY_CLASSES & set(classes))
        or statements.has("P1278", "P5531", "P414", "P452"),
        references=tuple(sorted(references, key=lambda key: int(key[1:]))),
        wikipedia_url=f"https://en.wikipedia.org/wiki/{quote(title.replace(' ', '_'))}"
        if title
        else None,
        observations=tuple(_observations(entity, statements)),
    )


def _observations(entity: dict[str, Any], statements: Statements) -> Iterator[Observation]:
    def seen(
        field: str, value: object, pointer: str, confidence: float = 0.8, as_of: date | None = None
    ) -> Observation:
        return Observation(field, value, "api", confidence, pointer=pointer, as_of=as_of)

    yield seen("wikidata_id", entity["id"], "/id", 0.99)
    label = _label(entity)
    if label:
        yield seen("company_name", label, "/labels", 0.8)
    yield from _aliases(entity, label or "", statements)
    descriptions = entity.get("descriptions")
    text = descriptions.get("en", {}).get("value") if isinstance(descriptions, dict) else None
    if text:
        yield seen("description", text, "/descriptions/en", 0.5)
    for name, field, width, sure in (("P1278", "lei", 20, 0.9), ("P5531", "cik", 10, 0.9)):
        for statement in statements.current(name)[:1]:
            identifier = str(statement.value).strip().upper()
            yield seen(field, identifier.zfill(width), statement.pointer, sure)
    yield from _web(statements, seen)
    yield from _place(statements, seen)
    for statement in statements.current("P452"):
        industry = industry_from_text(statements.name_of(statement))
        if industry is not None:
            yield seen("industry", industry.name, statement.pointer, 0.7)
            break
    for statement in statements.all("P571")[:1]:
        year = year_of(statement.value)
        if year is not None:
            yield seen("founded_year", year, statement.pointer, 0.85)
    if statements.has("P576"):
        yield seen("entity_status", "inactive", "/claims/P576", 0.8)
    yield from _figures(statements, seen)
    yield from _people(statements, seen)
    yield from _owners(statements, seen)
    yield from _shares(statements, seen)


def _aliases(entity: dict[str, Any], label: str, statements: Statements) -> Iterator[Observation]:
    said = {fold(label)}
    aliases = entity.get("aliases")
    rows = aliases.get("en", []) if isinstance(aliases, dict) else []
    named = [(str(row.get("value") or ""), f"/aliases/en/{i}") for i, row in enumerate(rows)]
    for statement in statements.all("P1448"):
        value = statement.value
        if isinstance(value, dict) and value.get("text"):
            named.append((str(value["text"]), statement.pointer))
            if not statement.ended:
                yield Observation(
                    "legal_name", value["text"], "api", 0.7, pointer=statement.pointer
                )
    for name, pointer in named:
        if name and fold(name) not in said:
            said.add(fold(name))
            yield Observation("alternative_name", name, "api", 0.6, pointer=pointer)


def _web(statements: Statements, seen: Any) -> Iterator[Observation]:
    domains: list[str] = []
    for statement in statements.current("P856"):
        reading = read_website(str(statement.value))
        if reading.domain and reading.domain not in domains:
            field = "alternative_domain" if domains else "website_domain"
            domains.append(reading.domain)
            yield seen(field, reading.domain, statement.pointer, 0.9 if len(domains) == 1 else 0.6)
    for statement in statements.current("P4264")[:1]:
        url = f"https://www.linkedin.com/company/{quote(str(statement.value))}"
        yield seen("profile_network_url", url, statement.pointer, 0.85)
    for name, (network, address) in _SOCIAL.items():
        for statement in statements.current(name)[:1]:
            value = {"network": network, "url": address.format(quote(str(statement.value)))}
            yield seen("social_url", value, statement.pointer, 0.8)
    for statement in statements.current("P154")[:1]:
        file = quote(str(statement.value).replace(" ", "_"))
        url = f"https://commons.wikimedia.org/wiki/File:{file}"
        yield seen("logo_url", url, statement.pointer, 0.7)


def _place(statements: Statements, seen: Any) -> Iterator[Observation]:
    for statement in statements.current("P159")[:1]:
        if city := statements.name_of(statement):
            yield seen("hq_city", city, statement.pointer, 0.7)
        street = first(statement.qualifiers.get("P6375"))
        if isinstance(street, dict) and street.get("text"):
            yield seen("hq_address", street["text"], statement.pointer, 0.6)
        postcode = first(statement.qualifiers.get("P281"))
        if isinstance(postcode, str):
            yield seen("hq_postcode", postcode, statement.pointer, 0.6)
    for statement in statements.current("P17")[:1]:
        nation = country_from_text(statements.name_of(statement))
        if nation is not None:
            yield seen("country_code", nation.alpha2, statement.pointer, 0.75)
    for statement in statements.current("P1454")[:1]:
        if form := statements.name_of(statement):
            yield seen("legal_form", form, statement.pointer, 0.7)


def _figures(statements: Statements, seen: Any) -> Iterator[Observation]:
    """Employees, revenue and income. Without a date the age of a figure is unknown."""
    for name, field in (("P1128", "employees"), ("P2139", "revenue"), ("P2295", "net_income")):
        figure = latest(statements.all(name))
        count, currency = (figure and amount(figure.value)) or (0.0, None)
        people = field == "employees"
        if figure is None or not (count > 0 if people else currency):
            continue
        value = int(count) if people else _money(count, currency, figure.point)
        dated, undated = (0.7, 0.45) if people else (0.6, 0.4)
        yield seen(field, value, figure.pointer, dated if figure.point else undated, figure.point)


def _money(count: float, currency: str | None, point: date | None) -> dict[str, object]:
    return {
        "amount": int(count) if count.is_integer() else count,
        "currency": currency,
        "fiscal_year": point and point.year,
        "period_end": point and point.isoformat(),
    }


def _people(statements: Statements, seen: Any) -> Iterator[Observation]:
    for name, title, role in (
        ("P169", "Chief Executive Officer", "officer"),
        ("P488", "Chairperson", "director"),
        ("P112", "Founder", "founder"),
    ):
        current = statements.current(name) if name != "P112" else statements.all(name)
        newest = sorted(current, key=lambda s: s.start or date.min, reverse=True)
        if name == "P169":
            yield from _chief(statements, newest, seen)
        for statement in newest:
            person = statements.name_of(statement)
            if not person:
                continue
            since = statement.start.year if statement.start else None
            value = {"name": person, "title": title, "role": role, "since": since}
            sure = 0.8 if statement.start or statement.preferred else 0.6
            yield seen("person", value, statement.pointer, sure)


def _chief(statements: Statements, newest: Sequence[Statement], seen: Any) -> Iterator[Observation]:
    """The newest chief executive; all of them where the item prefers several at once."""
    named = [(name, each) for each in newest if (name := statements.name_of(each))]
    preferred = [name for name, each in named if each.preferred]
    for name, statement in named[:1]:
        shared = " and ".join(sorted(preferred)) if 1 < len(preferred) <= _MOST_CHIEFS else name
        sure = 0.8 if statement.start or statement.preferred else 0.6
        yield seen("ceo", shared, statement.pointer, sure)


def _owners(statements: Statements, seen: Any) -> Iterator[Observation]:
    for statement in statements.current("P749"):
        if parent := statements.name_of(statement):
            value = {"name": parent, "lei": None, "relation": "direct"}
            yield seen("parent", value, statement.pointer, 0.75)
    for statement in statements.current("P355"):
        if child := statements.name_of(statement):
            value = {"name": child, "jurisdiction": None, "lei": None}
            yield seen("subsidiary", value, statement.pointer, 0.7)


def _shares(statements: Statements, seen: Any) -> Iterator[Observation]:
    listed = [s for s in statements.current("P414") if statements.name_of(s)]
    for index, statement in enumerate(listed):
        exchange = statements.name_of(statement)
        ticker = first(statement.qualifiers.get("P249"))
        symbol = str(ticker).strip().upper() if ticker else None
        if symbol:
            value = {"ticker": symbol, "exchange": exchange, "title": None}
            yield seen("listing", value, statement.pointer, 0.75)
        if index == 0:
            if symbol:
                yield seen("stock_ticker", symbol, statement.pointer, 0.7)
            yield seen("stock_exchange_name", exchange, statement.pointer, 0.7)
            yield seen("public_company", True, statement.pointer, 0.8)


def _label(entity: dict[str, Any]) -> str | None:
    labels = entity.get("labels")
    if not isinstance(labels, dict):
        return None
    for language in (*_LANGUAGES, *labels):
        text = labels.get(language)
        if isinstance(text, dict) and text.get("value"):
            return str(text["value"])
    return None


def _entities(content: bytes) -> dict[str, dict[str, Any]]:
    entities = json_object(content, NotWikidata).get("entities")
    if not isinstance(entities, dict):
        raise NotWikidata("The JSON object has no entities.")
    return {str(key): entity for key, entity in entities.items() if isinstance(entity, dict)}
