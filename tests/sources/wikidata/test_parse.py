"""Wikidata items: rank, time and references of statements."""

import json
from datetime import date
from typing import Any

import pytest

from sightline.sources.wikidata.parse import (
    Entity,
    NotWikidata,
    read_entity,
    read_labels,
    read_search,
)

LABELS = {
    "Q1": "Ada Quill",
    "Q2": "Ben Lee",
    "Q3": "Hamburg",
    "Q4": "Germany",
    "Q5": "Nasdaq",
    "Q6": "Plum SE",
}
USD = "http://www.wikidata.org/entity/Q4917"


def snak(value: Any) -> dict[str, Any]:
    return {"snaktype": "value", "datavalue": {"value": value}}


def moment(day: str, precision: int = 11) -> dict[str, Any]:
    return {"time": f"+{day}T00:00:00Z", "precision": precision}


def claim(value: Any, rank: str = "normal", **qualifiers: Any) -> dict[str, Any]:
    return {
        "mainsnak": snak(value),
        "rank": rank,
        "qualifiers": {
            name: [{"snaktype": "somevalue"} if v is None else snak(v)]
            for name, v in qualifiers.items()
        },
    }


def entity(**claims: list[dict[str, Any]]) -> Entity:
    item = {
        "id": "Q900",
        "labels": {"de": {"value": "Orchard"}, "en": {"value": "Orchard Quay"}},
        "aliases": {"en": [{"value": "orchard quay"}, {"value": "OQ Group"}]},
        "sitelinks": {"enwiki": {"title": "Orchard Quay"}},
        "claims": claims,
    }
    read = read_entity(json.dumps({"entities": {"Q900": item}}).encode(), LABELS)
    assert read is not None
    return read


def values(read: Entity, field: str) -> list[Any]:
    return [one.value for one in read.observations if one.field == field]


def test_names_and_identifiers() -> None:
    read = entity(
        P856=[claim("https://www.orchardquay.example/en")],
        P1278=[claim("5299000ORCHARDQUAY00")],
        P5531=[claim("90001")],
        P4264=[claim("orchard-quay")],
        P31=[claim({"id": "Q4830453"})],
    )
    assert read.is_company
    assert values(read, "company_name") == ["Orchard Quay"]
    assert values(read, "alternative_name") == ["OQ Group"]
    assert values(read, "website_domain") == ["orchardquay.example"]
    assert values(read, "cik") == ["0000090001"]
    assert values(read, "profile_network_url") == ["https://www.linkedin.com/company/orchard-quay"]
    assert read.wikipedia_url == "https://en.wikipedia.org/wiki/Orchard_Quay"


def test_a_chief_executive_who_left_is_none() -> None:
    gone = claim({"id": "Q1"}, P580=moment("2010-01-01"), P582=moment("2020-01-01"))
    current = claim({"id": "Q2"}, P580=moment("2020-01-02"))
    assert values(entity(P169=[gone, current]), "ceo") == ["Ben Lee"]
    # Ended, no one knows when.
    assert values(entity(P169=[claim({"id": "Q1"}, P582=None)]), "ceo") == []
    assert values(entity(P169=[claim({"id": "Q1"}, rank="deprecated")]), "ceo") == []


def test_of_two_open_statements_the_preferred_then_the_newest_counts() -> None:
    old = claim({"id": "Q1"}, P580=moment("2010-01-01"))
    new = claim({"id": "Q2"}, P580=moment("2022-01-01"))
    assert values(entity(P169=[old, new]), "ceo") == ["Ben Lee"]
    preferred = claim({"id": "Q1"}, rank="preferred", P580=moment("2010-01-01"))
    assert values(entity(P169=[preferred, new]), "ceo") == ["Ada Quill"]


def test_two_preferred_chief_executives_share_the_office() -> None:
    both = [claim({"id": key}, rank="preferred", P580=moment("2022-01-01")) for key in ("Q2", "Q1")]
    assert values(entity(P169=both), "ceo") == ["Ada Quill and Ben Lee"]


def test_figures_are_the_latest_by_point_in_time() -> None:
    read = entity(
        P1128=[
            claim({"amount": "+500", "unit": "1"}, P585=moment("2023-12-31")),
            claim({"amount": "+900", "unit": "1"}, P585=moment("2019-12-31")),
        ],
        P2139=[
            claim({"amount": "+7000000", "unit": USD}, P585=moment("2023-00-00", 9)),
            claim({"amount": "+9", "unit": "1"}),
        ],
    )
    employees = next(one for one in read.observations if one.field == "employees")
    assert (employees.value, employees.as_of) == (500, date(2023, 12, 31))
    assert values(read, "revenue") == [
        {"amount": 7000000, "currency": "USD", "fiscal_year": 2023, "period_end": "2023-01-01"}
    ]


def test_places_shares_and_owners_use_the_labels_given() -> None:
    read = entity(
        P159=[claim({"id": "Q3"})],
        P17=[claim({"id": "Q4"})],
        P414=[claim({"id": "Q5"}, P249="orq")],
        P749=[claim({"id": "Q6"})],
        P355=[claim({"id": "Q77"})],
        P571=[claim(moment("1987-00-00", 9))],
        P154=[claim("Orchard Quay logo.svg")],
    )
    assert values(read, "hq_city") == ["Hamburg"]
    assert values(read, "country_code") == ["DE"]
    assert values(read, "listing") == [{"ticker": "ORQ", "exchange": "Nasdaq", "title": None}]
    assert values(read, "parent")[0]["name"] == "Plum SE"
    assert values(read, "subsidiary") == []  # its label is not known
    assert "Q77" in read.references
    assert values(read, "founded_year") == [1987]
    assert values(read, "logo_url") == [
        "https://commons.wikimedia.org/wiki/File:Orchard_Quay_logo.svg"
    ]


def test_a_founding_century_is_no_year() -> None:
    assert values(entity(P571=[claim(moment("1901-00-00", 7))]), "founded_year") == []


def test_search_results_and_labels() -> None:
    rows = [
        {"id": "Q900", "label": "Orchard Quay", "description": "company", "match": {"text": "OQ"}},
        {"id": "P31", "label": "instance of"},
    ]
    (one,) = read_search(json.dumps({"search": rows}).encode())
    assert (one.id, one.matched) == ("Q900", "OQ")
    labels = read_labels(
        json.dumps(
            {"entities": {"Q3": {"labels": {"de": {"value": "Hamburg"}}}, "Q8": {}}}
        ).encode()
    )
    assert labels == {"Q3": "Hamburg"}


def test_a_missing_item_is_none_and_other_bodies_are_refused() -> None:
    assert read_entity(b'{"entities": {"Q1": {"id": "Q1", "missing": ""}}}') is None
    for body in (b"", b"[]", b"{}", b"<html>"):
        with pytest.raises(NotWikidata):
            read_entity(body)
        with pytest.raises(NotWikidata):
            read_search(body)
