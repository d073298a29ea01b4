"""Postal addresses: schema.org, and the lines of footers, contact pages and imprints.

A visible address is recognized by its postal line ("10115 Berlin", "Austin, TX 78701", "London EC1A 1BB")
with a street before it; where a page only writes about a place there is no such pair.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from sightline.domain.cities import home_of_city
from sightline.domain.countries import country_from_text
from sightline.domain.places import state_from_text
from sightline.sources.json_ld import inner_nodes, text_of, types_of
from sightline.sources.website.country import country_of_host, country_of_language, native_city
from sightline.sources.website.document import (
    Line,
    Node,
    Structured,
    path_of,
    squeeze,
    words_pattern,
)
from sightline.sources.website.findings import Findings
from sightline.sources.website.postal import Address, read_postal_line

_CODE_FIRST = re.compile(r"(?:[A-Z]{2}[ ,]+)?[\d-]{4,10}\b")
_CODE_LAST = re.compile(r"\b[A-Z]{0,2}[ -]?\d{4,5}$")
_AMERICAN_LINE = re.compile(r"\d+ [^,]{3,40}, [A-Z][\w .'-]{2,30}, [A-Z]{2} \d{5}\b")
_JAPANESE_CODE = re.compile(r"〒?\s?(\d{3}-\d{4})(?!\d)")
_JAPANESE_CITY = re.compile(r".{2,3}[都道府県](.{1,5}?[市区町村])")
# Fields of the head office, by the part of an address.
_OF_HEAD_OFFICE = {
    "address": "hq_address", "city": "hq_city", "region": "hq_state", "postcode": "hq_postcode",
    "country_code": "country_code",
}  # fmt: skip
_MAX_LINE = 220
_MAX_ADDRESSES = 40


def find_addresses(found: Findings) -> None:
    """Every address of the page's own company; offices, and the head office where a page names it."""
    read = [*_structured(found.own, found.page.structured), *_visible(found)]
    found.addresses = kept = _distinct(read)[:_MAX_ADDRESSES]
    for address in kept:
        _add(found, {"office": _parts(address)}, address, 0.9 if address.quote is None else 0.75)
    head = next((address for address in kept if address.head_office), None)
    if head is None and len({address.country_code for address in kept}) == 1:
        head = kept[0]
    if head is not None:
        sure = 0.85 if head.quote is None else 0.75
        head = replace(head, country_code=head.country_code or _country_of(head, found))
        values = {_OF_HEAD_OFFICE[part]: value for part, value in _parts(head).items()}
        _add(found, values, head, sure if head.head_office else 0.6 / len(kept) ** 0.5)


def _distinct(addresses: list[Address]) -> list[Address]:
    """Each postal code and city once, with a street where one of its mentions has one."""
    distinct: dict[str, Address] = {}
    for address in addresses:
        key = "".join(
            filter(str.isalnum, f"{address.postcode or ''}{address.city or ''}".casefold())
        )
        before = distinct.get(key)
        if before is None or (address.street and not before.street):
            distinct[key] = address
    return list(distinct.values())


def _parts(address: Address) -> dict[str, str | None]:
    others = ("city", "region", "postcode", "country_code")
    return {"address": address.street} | {part: getattr(address, part) for part in others}


def _add(found: Findings, values: Mapping[str, Any], address: Address, sure: float) -> None:
    for name, value in values.items():
        found.add(
            name,
            value,
            method="text" if address.quote else "structured",
            confidence=sure,
            quote=address.quote,
            pointer=address.pointer,
        )


def _country_of(address: Address, found: Findings) -> str | None:
    """Where an address lies that names no country: its state, its city, else where the site is."""
    # A code is no proof: MI is Michigan and Milan.
    named = address.region if len(address.region or "") > 3 else None
    state = state_from_text(named) if named else None
    home = home_of_city(address.city) if address.city else None
    if home is not None and (state is None or home.country_code == state.country_code):
        return home.country_code
    return state.country_code if state else _default_country(found)


def _structured(own: Node | None, data: Structured) -> list[Address]:
    """The organization's own address first; then those of its offices and shops."""
    made: list[Address] = []
    if own is not None:
        made += _of_node(own, "address", head=True)
        for key in ("location", "department", "subOrganization"):
            made += _of_node(own, key, head=False)
    for node in data.nodes:
        kinds = types_of(node.data)
        if own is not None and node.data is own.data:
            continue
        if "PostalAddress" in kinds and (address := _from_schema(node.data, node.pointer)):
            made.append(address)
        elif {"ContactPage", "AboutPage"} & kinds:
            made += _of_node(node, "mainEntity", head=False)
    return made


def _of_node(node: Node, key: str, *, head: bool) -> list[Address]:
    inside = (
        _from_schema(inner, f"{node.pointer}/{key}") for inner in inner_nodes(node.data.get(key))
    )
    made = [address for address in inside if address]
    return [replace(made[0], head_office=head), *made[1:]] if made else []


def _from_schema(node: dict[str, Any], pointer: str) -> Address | None:
    city, street = text_of(node.get("addressLocality")), text_of(node.get("streetAddress"))
    if not city and not street:
        return None
    region = text_of(node.get("addressRegion"))
    nation = country_from_text(text_of(node.get("addressCountry")))
    # A code is no proof: MI is Michigan and Milan.
    if nation is None and len(region or "") > 3:
        if nation := country_from_text(region):
            region = None
        elif state := state_from_text(region or ""):
            nation = country_from_text(state.country_code)
    return Address(
        street=squeeze(street or "") or None,
        city=city,
        region=region,
        postcode=text_of(node.get("postalCode")),
        country_code=nation.alpha2 if nation else None,
        pointer=pointer,
    )


def _visible(found: Findings) -> Iterator[Address]:
    default, lines = _default_country(found), found.page.lines
    read = (_read_line(lines, at, default=default, role=found.role) for at in range(len(lines)))
    return islice(filter(None, read), _MAX_ADDRESSES)


def _read_line(lines: list[Line], index: int, *, default: str | None, role: str) -> Address | None:
    """The address whose postal line is a line, where its place or its form shows one."""
    line = lines[index]
    if len(line.text) > _MAX_LINE or not any(map(str.isdigit, line.text)):
        return None
    framed = line.region in {"footer", "aside", "header"} or _in_address(line)
    speaks = role in {"about", "home"} and _names_itself(line.text)
    if not (framed or speaks or role == "contact"):
        return None
    address = _read_around(lines, index, default=default, framed=framed)
    if address is None:
        return None
    above = " ".join(
        each.text for each in lines[max(index - 5, 0) : index + 1] if len(each.text) < 120
    )
    is_head = words_pattern("places", "head_office").search(above) is not None
    quote = address.quote or line.text
    return replace(address, quote=quote, pointer=path_of(line.element), head_office=is_head)


def _names_itself(text: str) -> bool:
    """Whether a line reads as an address wherever it stands: a Japanese postal code, or a street, a
    city, a state and its code."""
    return _JAPANESE_CODE.search(text) is not None or _AMERICAN_LINE.search(text) is not None


def _read_around(
    lines: list[Line], index: int, *, default: str | None, framed: bool
) -> Address | None:
    """The address whose postal line is a line, or that line with the one before or behind it."""
    text = lines[index].text
    before = [each.text for each in lines[max(index - 3, 0) : index]]
    after = lines[index + 1].text if index + 1 < len(lines) else ""
    address = read_postal_line(text, before, after, default=default, streetless=framed)
    if address is None and before and _CODE_FIRST.match(text) and len(before[-1]) < 60:
        address = read_postal_line(f"{before[-1]} {text}", before[:-1], after, default=default)
    if address is None and _CODE_LAST.search(text) and 2 < len(after) < 60:
        address = read_postal_line(
            f"{text} {after}", before, "", default=default, streetless=framed
        )
    return address or _read_native(text, after)


def _read_native(text: str, after: str) -> Address | None:
    """An address of Japan: a postal code with the prefecture behind it or in the next line."""
    found = _JAPANESE_CODE.search(text)
    if found is None:
        return None
    place = text[found.end() :].strip() or after.strip()
    city = native_city(place)
    if city is None and (named := _JAPANESE_CITY.match(place)):
        city = named[1]
    quote = text if place in text else after
    return Address(place or None, city, None, found[1], "JP", quote=quote) if city else None


def _default_country(found: Findings) -> str | None:
    """The country a site speaks from: its top-level domain, else the language of one country."""
    return country_of_host(found.page.url) or country_of_language(found.language)


def _in_address(line: Line) -> bool:
    around = (line.element, *islice(line.element.iterancestors(), 3))
    names = ((each.tag, (each.get("class") or "")) for each in around)
    return any(
        tag == "address" or "vcard" in name or "address" in name.lower() for tag, name in names
    )
