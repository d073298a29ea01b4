"""Wikidata end to end, on invented answers."""

import json
from typing import Any
from urllib.parse import urlencode

from sightline.sources.contract import Query
from sightline.sources.wikidata.connector import WIKIDATA
from tests.sources.desk import Desk
from tests.sources.wikidata.test_parse import claim

ENTITY = "https://www.wikidata.org/wiki/Special:EntityData/Q900.json"
COMPANY = "Q4830453"


def api(action: str, **asked: str) -> str:
    parameters = {"action": action, "format": "json", **asked}
    return f"https://www.wikidata.org/w/api.php?{urlencode(parameters)}"


def item(key: str, label: str, kind: str, **claims: Any) -> dict[str, Any]:
    return {
        "id": key,
        "labels": {"en": {"value": label}},
        "claims": {"P31": [claim({"id": kind})], **claims},
    }


ORCHARD = item(
    "Q900",
    "Orchard Quay",
    COMPANY,
    P856=[claim("https://www.orchardquay.example/")],
    P17=[claim({"id": "Q4"})],
    P169=[claim({"id": "Q1"})],
    P1278=[claim("5299000ORCHARDQUAY00")],
)
FRUIT = item("Q901", "Orchard Quay", "Q5")
LABELS = {"entities": {k: {"id": k, "labels": {"en": {"value": v}}} for k, v in
                       (("Q1", "Ada Quill"), ("Q4", "Germany"))}}  # fmt: skip


def answer_items(desk: Desk, *items: dict[str, Any]) -> None:
    ids = "|".join(sorted(each["id"] for each in items))
    props = "labels|aliases|descriptions|claims"
    desk.web.answer(
        api("wbgetentities", props=props, ids=ids),
        json.dumps({"entities": {each["id"]: each for each in items}}),
    )
    desk.web.answer(api("wbgetentities", ids="Q1|Q4", props="labels"), json.dumps(LABELS))


async def test_companies_are_found_by_name_and_other_things_are_not(desk: Desk) -> None:
    rows = [{"id": "Q900", "label": "Orchard Quay"}, {"id": "Q901", "label": "Orchard Quay"}]
    url = api("wbsearchentities", search="Orchard Quay", language="en", type="item", limit="10")
    desk.web.answer(url, json.dumps({"search": rows}))
    answer_items(desk, ORCHARD, FRUIT)
    [found] = await desk.find(WIKIDATA, Query(name="Orchard Quay"))
    assert (found.domain, found.country_code) == ("orchardquay.example", "DE")
    assert found.identifiers == {"wikidata_id": "Q900", "lei": "5299000ORCHARDQUAY00"}


async def test_a_company_is_found_by_its_web_site(desk: Desk) -> None:
    hosts = ("www.orchardquay.example", "orchardquay.example")
    words = "|".join(
        f"P856={scheme}://{host}{path}"
        for scheme in ("https", "http")
        for host in hosts
        for path in ("/", "")
    )
    url = api("query", list="search", srsearch=f"haswbstatement:{words}", srlimit="10")
    desk.web.answer(url, json.dumps({"query": {"search": [{"title": "Q900"}]}}))
    answer_items(desk, ORCHARD)
    [found] = await desk.find(WIKIDATA, Query(domain="orchardquay.example"))
    assert found.key == "Q900"


async def test_statements_become_facts_with_names(desk: Desk) -> None:
    desk.web.answer(ENTITY, json.dumps({"entities": {"Q900": ORCHARD}}))
    desk.web.answer(api("wbgetentities", ids="Q1|Q4", props="labels"), json.dumps(LABELS))
    company_id = await desk.company("Orchard Quay", wikidata_id="Q900")
    await desk.collect(WIKIDATA, company_id)
    values = await desk.values(company_id)
    assert values["ceo"] == ["Ada Quill"]
    assert values["country_code"] == ["DE"]
    assert values["website_domain"] == ["orchardquay.example"]
    again = await desk.collect(WIKIDATA, company_id)
    assert again.counts["fetched"] == 0
    assert await desk.values(company_id) == values


async def test_what_is_missing_or_broken_is_nothing(desk: Desk) -> None:
    assert await desk.find(WIKIDATA, Query(name="Unheard")) == []
    url = api("wbsearchentities", search="Odd", language="en", type="item", limit="10")
    desk.web.answer(url, '{"error": {"code": "ratelimited"}}')
    assert await desk.find(WIKIDATA, Query(name="Odd")) == []
    company_id = await desk.company("Unheard", wikidata_id="Q900")
    context = await desk.collect(WIKIDATA, company_id)
    assert context.notes == ["Wikidata has no item Q900."]
