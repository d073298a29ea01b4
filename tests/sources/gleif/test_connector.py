"""GLEIF end to end, on invented answers."""

import json
from urllib.parse import urlencode

from sightline.sources.contract import Query
from sightline.sources.gleif.connector import GLEIF
from tests.sources.desk import Desk
from tests.sources.gleif.test_parse import LEI, RECORDS, record

CHILD, PARENT = "5299000CHILDQUAY0000", "5299000PARENTQUAY000"


def search(name: str, words: str) -> str:
    return f"{RECORDS}?{urlencode({name: words, 'page[size]': 20})}"


async def test_an_entity_is_found_by_legal_name_and_by_lei(desk: Desk) -> None:
    fund = record("5299000FUNDQUAY00000", "Orchard & Quay Fund", category="FUND")
    url = search("filter[entity.legalName]", "Orchard & Quay")
    desk.web.answer(url, json.dumps({"data": [record(), fund]}))
    desk.web.answer(f"{RECORDS}/{LEI}", json.dumps({"data": record()}))
    for query in (Query(name="Orchard & Quay"), Query(identifiers={"lei": LEI})):
        [found] = await desk.find(GLEIF, query)
        assert found.identifiers == {"lei": LEI}
        assert (found.country_code, found.city) == ("DE", "HAMBURG")
        assert "Orchard" in found.names


async def test_other_words_are_tried_when_no_legal_name_fits(desk: Desk) -> None:
    desk.web.answer(search("filter[entity.legalName]", "Orchard"), json.dumps({"data": []}))
    desk.web.answer(search("filter[fulltext]", "Orchard"), json.dumps({"data": [record()]}))
    assert [c.key for c in await desk.find(GLEIF, Query(name="Orchard"))] == [LEI]


async def test_record_parents_and_children_become_facts(desk: Desk) -> None:
    base = f"{RECORDS}/{LEI}"
    desk.web.answer(base, json.dumps({"data": record()}))
    desk.web.answer(f"{base}/direct-parent", json.dumps({"data": record(PARENT, "QUAY SE")}))
    children = f"{base}/direct-children?{urlencode({'page[size]': 100})}"
    desk.web.answer(children, json.dumps({"data": [record(CHILD, "Orchard Cranes GmbH")]}))
    names = [{"localName": "Aktiengesellschaft", "languageCode": "de"}]
    form = {"data": {"id": "6QQB", "attributes": {"code": "6QQB", "names": names}}}
    desk.web.answer("https://api.gleif.org/api/v1/entity-legal-forms/6QQB", json.dumps(form))
    company_id = await desk.company("Orchard & Quay AG", lei=LEI)
    first = await desk.collect(GLEIF, company_id)
    values = await desk.values(company_id)
    assert values["hq_city"] == ["Hamburg"]
    [parent] = values["parent"]
    assert (parent["lei"], parent["relation"]) == (PARENT, "direct")
    assert [each["name"] for each in values["subsidiary"]] == ["Orchard Cranes GmbH"]
    assert values["legal_form"] == ["Aktiengesellschaft"]
    assert first.counts["missing"] == 0  # an ultimate parent that is not reported is not asked for
    again = await desk.collect(GLEIF, company_id)
    assert (again.counts["fetched"], again.counts["fresh"]) == (0, 4)


async def test_nothing_is_found_quietly(desk: Desk) -> None:
    assert await desk.find(GLEIF, Query(name="Unheard")) == []
    desk.web.answer(search("filter[entity.legalName]", "Odd"), "<html>busy</html>")
    desk.web.answer(search("filter[fulltext]", "Odd"), "[1]")
    assert await desk.find(GLEIF, Query(name="Odd")) == []
    company_id = await desk.company("Unheard", lei=LEI)
    assert (await desk.collect(GLEIF, company_id)).notes == [f"GLEIF has no record {LEI}."]
