"""Records of the Global LEI Index: the JSON of api.gleif.org."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Literal

from sightline.domain.casing import title_words
from sightline.domain.countries import country
from sightline.domain.evidence import Observation
from sightline.domain.names import fold, tidy_name
from sightline.domain.places import city_name, state_from_text
from sightline.sources.bodies import json_object
from sightline.sources.values import at

_MANY_LINES = 4


class NotLeiRecords(ValueError):
    """The body is not an answer of the LEI API."""


@dataclass(frozen=True, slots=True)
class Address:
    """An address as registered. `region` is the ISO 3166-2 part after the country ("CA", "BY")."""

    lines: tuple[str, ...]
    city: str | None
    region: str | None
    postcode: str | None
    country_code: str | None


@dataclass(frozen=True, slots=True)
class LeiRecord:
    """One legal entity. `status` is ACTIVE, INACTIVE or NULL of the entity; `registration` of its LEI
    (ISSUED, LAPSED, RETIRED...); `legal_form` the words of a form that has no code, `legal_form_code`
    the ELF code of all others; `parents` maps "direct" and "ultimate" to where the relation can be
    asked for, None when it is an exception; `children` is where those can be."""

    lei: str
    legal_name: str
    legal_name_language: str | None
    other_names: tuple[tuple[str, str], ...]  # name, kind
    legal_address: Address
    headquarters: Address
    jurisdiction: str | None
    legal_form: str | None
    legal_form_code: str | None
    register_number: str | None
    category: str | None
    status: str | None
    registration: str | None
    created: date | None
    last_update: date | None
    ocid: str | None
    successor: str | None
    parents: Mapping[str, str | None]
    children: str | None = None

    def observations(self) -> tuple[Observation, ...]:
        """What the record says about the company."""
        return tuple(_observations(self))


@dataclass(frozen=True, slots=True)
class LeiPage:
    """Records of one answer. `next_url` leads to further ones."""

    records: tuple[LeiRecord, ...]
    total: int
    next_url: str | None


def read_lei_records(content: bytes) -> LeiPage:
    """Records of /lei-records?filter[...] or of /lei-records/{lei}. Raises NotLeiRecords.

    A record without an LEI or a name is left out. "No such record" is an empty page.
    """
    data = json_object(content, NotLeiRecords)
    if "errors" in data and "data" not in data:
        return LeiPage((), 0, None)
    if "data" not in data:
        raise NotLeiRecords("The JSON object has no data.")
    raw = data["data"]
    rows = raw if isinstance(raw, list) else [raw] if isinstance(raw, dict) else []
    records = tuple(filter(None, (_record(row) for row in rows if isinstance(row, dict))))
    total = at(data, "meta", "pagination", "total")
    following = at(data, "links", "next")
    return LeiPage(
        records,
        total if isinstance(total, int) else len(records),
        following if isinstance(following, str) else None,
    )


def parent_observation(
    content: bytes, relation: Literal["direct", "ultimate"]
) -> Observation | None:
    """`parent` from the answer of /lei-records/{lei}/direct-parent or /ultimate-parent."""
    page = read_lei_records(content)
    if not page.records:
        return None
    parent = page.records[0]
    value = {"name": tidy_name(parent.legal_name), "lei": parent.lei, "relation": relation}
    return Observation(
        "parent", value, "api", 0.95, pointer="/data/attributes/lei", as_of=parent.last_update
    )


def child_observations(content: bytes) -> tuple[Observation, ...]:
    """`subsidiary` for each record of /lei-records/{lei}/direct-children."""
    return tuple(
        Observation(
            "subsidiary",
            {
                "name": tidy_name(child.legal_name),
                "jurisdiction": child.jurisdiction,
                "lei": child.lei,
            },
            "api",
            0.95,
            pointer=f"/data/{index}/attributes",
            as_of=child.last_update,
        )
        for index, child in enumerate(read_lei_records(content).records)
    )


def legal_form_observation(content: bytes, language: str | None = None) -> Observation | None:
    """`legal_form` from the answer of /entity-legal-forms/{code}, in `language` where it can be."""
    names = at(json_object(content, NotLeiRecords), "data", "attributes", "names")
    rows = [
        (str(row.get("languageCode")), index, str(row["localName"]).strip())
        for index, row in enumerate(names if isinstance(names, list) else ())
        if isinstance(row, dict) and row.get("localName")
    ]
    rows.sort(key=lambda row: (row[0] != language, row[1]))
    if not rows:
        return None
    _, index, name = rows[0]
    pointer = f"/data/attributes/names/{index}/localName"
    return Observation("legal_form", name, "api", 0.9, pointer=pointer)


def _record(row: dict[str, Any]) -> LeiRecord | None:
    attributes = row.get("attributes")
    entity = at(attributes, "entity")
    lei = str(at(attributes, "lei") or row.get("id") or "").strip().upper()
    name = _text(entity, "legalName", "name")
    if not isinstance(entity, dict) or len(lei) != 20 or not name:
        return None
    names = [
        (str(one["name"]).strip(), str(one.get("type") or ""))
        for key in ("otherNames", "transliteratedOtherNames")
        for one in entity.get(key) or ()
        if isinstance(one, dict) and one.get("name")
    ]
    return LeiRecord(
        lei=lei,
        legal_name=name,
        legal_name_language=_text(entity, "legalName", "language"),
        other_names=tuple(names),
        legal_address=_address(entity.get("legalAddress")),
        headquarters=_address(entity.get("headquartersAddress")),
        jurisdiction=_text(entity, "jurisdiction"),
        legal_form=_text(entity, "legalForm", "other"),
        legal_form_code=_form_code(_text(entity, "legalForm", "id")),
        register_number=_text(entity, "registeredAs"),
        category=_text(entity, "category"),
        status=_text(entity, "status"),
        registration=_text(attributes, "registration", "status"),
        created=_day(_text(entity, "creationDate")),
        last_update=_day(_text(attributes, "registration", "lastUpdateDate")),
        ocid=_text(attributes, "ocid"),
        successor=_text(entity, "successorEntity", "lei"),
        parents={
            relation: _text(row, "relationships", f"{relation}-parent", "links", "lei-record")
            for relation in ("direct", "ultimate")
        },
        children=_text(row, "relationships", "direct-children", "links", "related"),
    )


def _address(raw: object) -> Address:
    if not isinstance(raw, dict):
        return Address((), None, None, None, None)
    lines = tuple(str(line).strip() for line in raw.get("addressLines") or () if line)
    return Address(
        lines=lines[:_MANY_LINES],
        city=_text(raw, "city"),
        region=_region(_text(raw, "region")),
        postcode=_text(raw, "postalCode"),
        country_code=_country(_text(raw, "country")),
    )


def _observations(record: LeiRecord) -> Iterator[Observation]:
    def seen(field: str, value: object, pointer: str, confidence: float = 0.95) -> Observation:
        return Observation(
            field,
            value,
            "api",
            confidence,
            pointer=f"/data/attributes/{pointer}",
            as_of=record.last_update,
        )

    lapsed = record.registration not in (None, "ISSUED")
    sure = 0.8 if lapsed else 0.95
    yield seen("lei", record.lei, "lei", 0.99)
    yield seen("legal_name", record.legal_name, "entity/legalName", sure)
    yield seen("company_name", tidy_name(record.legal_name), "entity/legalName", sure - 0.15)
    said = {fold(record.legal_name)}
    for index, (name, kind) in enumerate(record.other_names):
        if fold(name) in said:
            continue
        said.add(fold(name))
        # Former names and trading names alike; transliterations help to match.
        yield seen("alternative_name", tidy_name(name), f"entity/otherNames/{index}", 0.9)
        if kind == "TRADING_OR_OPERATING_NAME":
            yield seen("company_name", tidy_name(name), f"entity/otherNames/{index}", 0.85)
    if record.legal_form:
        yield seen("legal_form", record.legal_form, "entity/legalForm", sure)
    if record.status in {"ACTIVE", "INACTIVE"}:
        yield seen("entity_status", record.status.lower(), "entity/status", sure)
    if record.created is not None and record.created.year > 1600:
        # A legal entity may be younger than the business it runs.
        yield seen("founded_year", record.created.year, "entity/creationDate", 0.6)
    yield from _place(record.headquarters, "entity/headquartersAddress", sure, seen)


def _place(address: Address, pointer: str, sure: float, seen: Any) -> Iterator[Observation]:
    state = state_from_text(address.region, address.country_code) if address.region else None
    for field, value in (
        ("hq_address", ", ".join(title_words(line) for line in address.lines)),
        ("hq_city", city_name(address.city)),
        ("hq_state", state.label if state else None),
        ("hq_postcode", address.postcode),
        ("country_code", address.country_code),
    ):
        if value:
            yield seen(field, value, pointer, sure - 0.05)


def _region(text: str | None) -> str | None:
    """ "US-CA" is "CA"."""
    return (text or "").strip().rpartition("-")[2] or None


def _country(text: str | None) -> str | None:
    found = country((text or "").strip())
    return found.alpha2 if found else None


def _text(data: object, *path: str) -> str | None:
    value = at(data, *path)
    return value.strip() or None if isinstance(value, str) else None


def _form_code(text: str | None) -> str | None:
    """An ELF code; 8888 and 9999 stand for forms without one."""
    return text if text and text not in {"8888", "9999"} else None


def _day(text: str | None) -> date | None:
    """The day of a time. Registers give local midnights in UTC: "…-31T23:00:00Z" is a first of month."""
    try:
        moment = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return (moment + timedelta(hours=12)).date() if moment.tzinfo else moment.date()
