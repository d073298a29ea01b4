"""LEI records from the API's JSON."""

import json
from typing import Any

import pytest

from sightline.sources.gleif.parse import (
    NotLeiRecords,
    child_observations,
    legal_form_observation,
    parent_observation,
    read_lei_records,
)

LEI = "5299000ORCHARDQUAY00"
RECORDS = "https://api.gleif.org/api/v1/lei-records"


def record(lei: str = LEI, name: str = "ORCHARD & QUAY AG", **entity: Any) -> dict[str, Any]:
    return {
        "type": "lei-records",
        "id": lei,
        "attributes": {
            "lei": lei,
            "entity": {
                "legalName": {"name": name, "language": "de"},
                "otherNames": [
                    {"name": "ORCHARD AG", "type": "PREVIOUS_LEGAL_NAME"},
                    {"name": "Orchard", "type": "TRADING_OR_OPERATING_NAME"},
                ],
                "legalAddress": {
                    "addressLines": ["Amtsgasse 2"],
                    "city": "Bremen",
                    "region": "DE-HB",
                    "country": "DE",
                },
                "headquartersAddress": {
                    "addressLines": ["HAFENSTR. 1", "3. OG"],
                    "city": "HAMBURG",
                    "region": "DE-HH",
                    "country": "DE",
                    "postalCode": "20457",
                },
                "jurisdiction": "DE",
                "legalForm": {"id": "6QQB", "other": None},
                "status": "ACTIVE",
                "creationDate": "1986-12-31T23:00:00Z",
            }
            | entity,
            "registration": {"status": "ISSUED", "lastUpdateDate": "2024-03-05T08:00:00Z"},
        },
        "relationships": {
            "direct-parent": {
                "links": {
                    "relationship-record": f"{RECORDS}/{lei}/direct-parent-relationship",
                    "lei-record": f"{RECORDS}/{lei}/direct-parent",
                }
            },
            "ultimate-parent": {
                "links": {
                    "reporting-exception": f"{RECORDS}/{lei}/ultimate-parent-reporting-exception"
                }
            },
            "direct-children": {
                "links": {
                    "relationship-records": f"{RECORDS}/{lei}/direct-child-relationships",
                    "related": f"{RECORDS}/{lei}/direct-children",
                }
            },
        },
    }


def test_a_record_describes_a_legal_entity() -> None:
    page = read_lei_records(
        json.dumps(
            {
                "data": [record()],
                "meta": {"pagination": {"total": 12}},
                "links": {"next": "https://api.gleif.example/next"},
            }
        ).encode()
    )
    assert (page.total, page.next_url) == (12, "https://api.gleif.example/next")
    (one,) = page.records
    assert one.parents == {"direct": f"{RECORDS}/{LEI}/direct-parent", "ultimate": None}
    assert one.children == f"{RECORDS}/{LEI}/direct-children"
    values = {o.field: o.value for o in reversed(one.observations())}
    assert values["lei"] == LEI
    assert values["legal_name"] == "ORCHARD & QUAY AG"
    assert values["alternative_name"] == "Orchard AG"
    assert (values["hq_city"], values["hq_postcode"], values["country_code"]) == (
        "Hamburg",
        "20457",
        "DE",
    )
    assert values["entity_status"] == "active"
    assert values["founded_year"] == 1987  # midnight in Hamburg
    assert "legal_form" not in values  # a code is no name
    assert one.legal_form_code == "6QQB"
    assert all(o.pointer for o in one.observations())


def test_a_form_without_a_code_is_named_in_the_record() -> None:
    form = {"id": "8888", "other": "Eingetragener Kaufmann"}
    (one,) = read_lei_records(json.dumps({"data": record(legalForm=form)}).encode()).records
    assert one.legal_form_code is None
    values = {o.field: o.value for o in one.observations()}
    assert values["legal_form"] == "Eingetragener Kaufmann"


@pytest.mark.parametrize(
    ("language", "form"),
    [("de", "Aktiengesellschaft"), ("fr", "Société anonyme"), ("it", "Aktiengesellschaft")],
)
def test_the_name_of_a_legal_form_comes_in_the_entitys_language(language: str, form: str) -> None:
    names = [
        {"localName": "Aktiengesellschaft", "language": "German", "languageCode": "de"},
        {"localName": "Société anonyme", "language": "French", "languageCode": "fr"},
    ]
    body = json.dumps({"data": {"attributes": {"code": "MVII", "names": names}}}).encode()
    found = legal_form_observation(body, language)
    assert found is not None
    assert found.value == form
    assert legal_form_observation(b'{"data": {"attributes": {"names": []}}}') is None


def test_relations_name_parents_and_children() -> None:
    body = json.dumps({"data": record(name="PLUM HOLDING SE")}).encode()
    parent = parent_observation(body, "ultimate")
    assert parent is not None
    assert parent.value == {"name": "Plum Holding SE", "lei": LEI, "relation": "ultimate"}
    children = child_observations(json.dumps({"data": [record(name="Kern B.V.")]}).encode())
    assert children[0].value == {"name": "Kern B.V.", "jurisdiction": "DE", "lei": LEI}


def test_nothing_found_is_an_empty_page_and_broken_records_are_left_out() -> None:
    missing = b'{"errors": [{"status": "404", "title": "Not Found"}]}'
    assert read_lei_records(missing).records == ()
    assert parent_observation(missing, "direct") is None
    broken = [{"id": "short"}, {"id": LEI, "attributes": {"lei": LEI, "entity": None}}]
    assert read_lei_records(json.dumps({"data": broken}).encode()).records == ()


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b"<html>"])
def test_what_is_no_answer_is_refused(body: bytes) -> None:
    with pytest.raises(NotLeiRecords):
        read_lei_records(body)


def test_a_lapsed_record_is_less_sure() -> None:
    row = record()
    row["attributes"]["registration"]["status"] = "LAPSED"
    (one,) = read_lei_records(json.dumps({"data": [row]}).encode()).records
    legal = next(o for o in one.observations() if o.field == "legal_name")
    assert legal.confidence < 0.9
