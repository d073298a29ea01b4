"""The OpenAPI document and the reference page say what the table says."""

import dataclasses
import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from typing import Any

import jsonschema_rs
import pytest
from schemathesis.specs.openapi.definitions import OPENAPI_31

from sightline.api import docs_page, openapi
from sightline.api.endpoint import Endpoint
from sightline.api.endpoints import ENDPOINTS, PUBLIC_ENDPOINTS
from sightline.api.errors import STATUSES
from sightline.api.openapi_enums import SHARED
from sightline.api.openapi_errors import errors_of
from sightline.api.openapi_examples import DETAILS
from sightline.domain.errors import REFUSALS
from sightline.domain.scopes import SCOPES, is_granted
from sightline.settings import Settings

VERSION = "9.8.7"
DOCUMENT: dict[str, Any] = json.loads(openapi.openapi_bytes(VERSION))
PAGE = docs_page.render_docs(VERSION).decode()
OPERATIONS = {
    operation["operationId"]: operation
    for methods in DOCUMENT["paths"].values()
    for operation in methods.values()
}
ROWS = {row.name: row for row in ENDPOINTS}


def target(part: dict[str, Any]) -> dict[str, Any]:
    """What a part of the document refers to; the part itself when it is no reference."""
    found: Any = part
    if "$ref" in part:
        found = DOCUMENT
        for step in part["$ref"].removeprefix("#/").split("/"):
            found = found[step]
    return found


def faults(schema: dict[str, Any], value: Any) -> list[str]:
    """Where a value breaks a schema of the document; formats count."""
    errors = validator(json.dumps(schema)).iter_errors(value)
    return [f"{'/'.join(map(str, each.instance_path))}: {each.message}" for each in errors]


@cache
def validator(schema: str) -> jsonschema_rs.Draft202012Validator:
    """Thousands of examples share some hundred schemas, and each takes all components in."""
    whole = {**json.loads(schema), "components": DOCUMENT["components"]}
    return jsonschema_rs.Draft202012Validator(whole, validate_formats=True)


def examples() -> Iterator[tuple[str, dict[str, Any], Any]]:
    """Every example of the document: where it is, its schema, its value."""
    for name, operation in OPERATIONS.items():
        parts = [("request", operation["requestBody"])] if "requestBody" in operation else []
        parts += [(status, target(part)) for status, part in operation["responses"].items()]
        for place, part in parts:
            for content in part["content"].values():
                if "example" in content:
                    yield f"{name} {place}", content["schema"], content["example"]
                for code, example in content.get("examples", {}).items():
                    yield f"{name} {place} {code}", content["schema"], target(example)["value"]
        for parameter in map(target, operation["parameters"]):
            if "example" in parameter:
                yield f"{name} {parameter['name']}", parameter["schema"], parameter["example"]


def test_it_is_valid_openapi_3_1() -> None:
    validator = jsonschema_rs.validator_for(OPENAPI_31)
    assert [error.message for error in validator.iter_errors(DOCUMENT)] == []
    broken = {**DOCUMENT, "info": {"title": "Without a version"}}
    assert not validator.is_valid(broken)


def test_every_reference_leads_somewhere() -> None:
    found = re.findall(r'"\$ref": "([^"]+)"', json.dumps(DOCUMENT))
    assert len(set(found)) > 20
    for reference in set(found):
        assert target({"$ref": reference}), reference


def test_every_component_is_used() -> None:
    text = json.dumps(DOCUMENT)
    for group in ("schemas", "parameters", "headers", "responses"):
        for name in DOCUMENT["components"][group]:
            assert f'"#/components/{group}/{name}"' in text, name


def test_every_operation_of_the_table_is_there_and_no_other() -> None:
    listed = {
        (method.upper(), path, operation["operationId"])
        for path, methods in DOCUMENT["paths"].items()
        for method, operation in methods.items()
    }
    rows = [(row.method, row.path, row.name) for row in ENDPOINTS]
    rows += [(row.method, row.path, row.name) for row in PUBLIC_ENDPOINTS]
    assert listed == set(rows)
    assert len(listed) == len(rows)


@pytest.mark.parametrize("row", ENDPOINTS, ids=lambda row: row.name)
def test_security_and_parameters_match_the_row(row: Endpoint) -> None:
    operation = OPERATIONS[row.name]
    assert operation["security"] == [{"ApiKey": [scope]} for scope in row.scopes]
    assert operation["x-required-scopes"] == list(row.scopes)
    assert all(scope in SCOPES and is_granted(scope, SCOPES) for scope in row.scopes)
    parameters = [target(parameter) for parameter in operation["parameters"]]
    own = [p["name"] for p in parameters if p["in"] != "header"]
    assert own == list(row.params.model_fields)
    in_path = [p["name"] for p in parameters if p["in"] == "path"]
    assert in_path == re.findall(r"{(\w+)}", row.path)
    assert all(p["required"] for p in parameters if p["in"] == "path")
    headers = {p["name"] for p in parameters if p["in"] == "header"}
    retried = {"Idempotency-Key"} if row.method in ("POST", "PATCH") else set()
    assert headers == {"X-Request-Id", "X-Error-Format"} | retried
    assert ("requestBody" in operation) == (row.body is not None)
    if row.body is not None:
        assert operation["requestBody"]["required"] == row.body_required


@pytest.mark.parametrize("row", ENDPOINTS, ids=lambda row: row.name)
def test_statuses_and_headers_match_the_row(row: Endpoint) -> None:
    responses = {status: target(r) for status, r in OPERATIONS[row.name]["responses"].items()}
    expected = {row.status, *row.also, 400, 401, 403, 429, 500, 503}
    expected |= {STATUSES[kind.type] for kind in row.errors}
    expected |= {404} if "{" in row.path else set()
    expected |= {413} if row.body is not None else set()
    expected |= {409, 422} if row.method in ("POST", "PATCH") else set()
    # A priced operation may find no credits, and tells its price with 200 when asked to.
    expected |= {402, 200} if row.price is not None else set()
    assert set(responses) == {str(status) for status in expected}
    for status, response in responses.items():
        headers = response["headers"]
        assert target(headers["X-Request-Id"])["required"] is True
        assert ("X-RateLimit-Remaining" in headers) == (status != "401")
        own = status == str(row.status) and "Retry-After" in row.headers
        assert ("Retry-After" in headers) == (own or status in ("409", "429", "503"))
    success = responses[str(row.status)]["headers"]
    assert set(row.headers) <= set(success)
    assert ("Idempotent-Replayed" in success) == (row.method in ("POST", "PATCH"))
    codes = {
        code
        for r in responses.values()
        for content in r["content"].values()
        for code in content.get("examples", ())
    }
    assert codes - {"flat"} == {kind.code for kind in errors_of(row)}
    assert {kind.code for kind in row.errors} <= codes


def test_health_needs_no_key_and_answers_503_in_its_own_shape() -> None:
    operation = OPERATIONS["read_health"]
    assert operation["security"] == []
    healthy, away = operation["responses"]["200"], operation["responses"]["503"]
    assert healthy["content"]["application/json"]["schema"] == {
        "$ref": "#/components/schemas/Health"
    }
    assert away["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/Health"}
    assert away["content"]["application/json"]["example"]["status"] == "unavailable"


def test_every_example_fits_its_schema() -> None:
    found = list(examples())
    assert len(found) > 10 * len(ENDPOINTS)
    broken = {where: wrong for where, schema, value in found if (wrong := faults(schema, value))}
    assert broken == {}


def test_every_operation_has_its_examples() -> None:
    places = {where for where, _, _ in examples()}
    for row in ENDPOINTS:
        assert f"{row.name} {row.status}" in places
        assert (f"{row.name} request" in places) == (row.body is not None)


def test_a_wrong_example_would_be_noticed() -> None:
    schema = {"$ref": "#/components/schemas/CompanyRecord"}
    assert faults(schema, {"company_id": "0198c7a2-5b1e-7d3a-9c55-2f6f0d0b7a11"}) == []
    assert faults(schema, {"company_id": "none"}) != []
    assert faults(schema, {"company_name": "Harbor Analytics"}) != []


def test_request_examples_are_accepted_by_the_real_types() -> None:
    for row in ENDPOINTS:
        if row.body is not None:
            body = OPERATIONS[row.name]["requestBody"]["content"]["application/json"]["example"]
            row.body.model_validate_json(json.dumps(body))


def test_fields_that_may_be_absent_are_not_required_in_answers() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    assert schemas["CompanyRecord"]["required"] == ["company_id"]
    assert set(schemas["AccountItem"]["required"]) == {"company_id", "id"}
    assert '"default"' not in json.dumps(schemas["CompanyRecord"])
    assert schemas["AccountSearch"]["properties"]["per_page"]["default"] == 25
    assert schemas["AccountPageAnswer"]["required"] == ["items", "pagination", "request"]


def test_scope_examples_name_the_scope_of_their_operation() -> None:
    for name, row in ROWS.items():
        content = target(OPERATIONS[name]["responses"]["403"])["content"]["application/json"]
        details = content["examples"]["missing_scope"]["value"]["error"]["details"]
        assert details["required_scope"] == row.scopes[0]


def test_the_document_is_the_same_each_time() -> None:
    first = openapi.openapi_bytes(VERSION)
    openapi.openapi_document.cache_clear()
    assert openapi.openapi_bytes(VERSION) == first
    assert first.endswith(b"}\n")
    assert DOCUMENT["info"]["version"] == "1.0.0"
    assert DOCUMENT["info"]["x-product-version"] == VERSION
    assert [server["url"] for server in DOCUMENT["servers"]] == ["/public-api/v1", "/v1"]


def test_beta_operations_and_alternative_scopes_are_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    row = dataclasses.replace(
        ROWS["read_company"], maturity="beta", scopes=("jobs:read", "tasks:read")
    )
    monkeypatch.setattr(openapi, "ENDPOINTS", (row,))
    document = openapi.openapi_document("beta")
    operation = document["paths"][row.path]["get"]
    assert operation["summary"] == f"[Beta] {row.summary}"
    assert operation["x-maturity"] == "beta"
    assert operation["security"] == [{"ApiKey": ["jobs:read"]}, {"ApiKey": ["tasks:read"]}]
    page = docs_page.render_docs("beta").decode()
    assert "Beta: may still change" in page
    assert re.search(r"jobs:read</code></a> or\s+<a href=\"#scopes\"><code>tasks:read", page)


def test_error_details_belong_to_refusals() -> None:
    assert set(DETAILS) <= set(REFUSALS)


class Elements(HTMLParser):
    """The ids, links and loading attributes of a page, and whether its tags are balanced."""

    VOID = frozenset({"meta", "input", "br", "link", "img"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loads: list[str] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if "id" in values:
            self.ids.append(values["id"])
        if tag == "a":
            self.links.append(values["href"])
        if tag in ("link", "img", "iframe", "object", "embed") or "src" in values:
            self.loads.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_every_error_code_has_an_anchor_on_the_page() -> None:
    ids = Elements(PAGE).ids
    assert {kind.code for kind in REFUSALS} <= set(ids)
    assert len(ids) == len(set(ids))


def test_every_operation_and_scope_is_on_the_page() -> None:
    ids = Elements(PAGE).ids
    assert {f"operation-{name}" for name in OPERATIONS} <= set(ids)
    assert all(f"<code>{scope}</code>" in PAGE for scope in SCOPES)


def test_the_page_is_whole_and_loads_nothing() -> None:
    elements = Elements(PAGE)
    assert elements.open == []
    assert elements.loads == []
    inner = {link[1:] for link in elements.links if link.startswith("#")}
    assert inner <= set(elements.ids)
    assert {link for link in elements.links if not link.startswith("#")} == {"/openapi.json"}
    assert "@import" not in PAGE
    assert "url(" not in PAGE
    assert VERSION in PAGE


def test_text_is_escaped_and_backticks_become_code() -> None:
    made = docs_page.prose("<b>a</b> `<i>` & `x`")
    assert made == "&lt;b&gt;a&lt;/b&gt; <code>&lt;i&gt;</code> &amp; <code>x</code>"


def test_the_body_limit_of_the_guide_is_the_default() -> None:
    assert "A request body can have up to 1 MB" in PAGE
    assert Settings.model_fields["max_body_bytes"].default == 1_000_000


def _parts(value: Any) -> Iterator[dict[str, Any]]:
    """Every object inside a JSON value."""
    if isinstance(value, dict):
        yield value
    for part in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from _parts(part)


def test_examples_of_pages_are_coherent() -> None:
    pages = [part for _, _, value in examples() for part in _parts(value) if "next_cursor" in part]
    assert len(pages) > 30
    for each in pages:
        assert bool(each["next_cursor"]) == each.get("has_next", True)
        assert each.get("has_previous", False) is (each["page"] > 1)
    answer = OPERATIONS["search_accounts"]["responses"]["200"]["content"]["application/json"]
    request = answer["example"]["request"]
    assert (request["page"], request["offset"]) == (answer["example"]["pagination"]["page"], 0)


def test_what_generators_of_clients_stumble_over_is_not_there() -> None:
    """What openapi-python-client and datamodel-code-generator warned of: two schemas of one name,
    names of modules, formats beside null, limits of length on ids."""
    schemas = DOCUMENT["components"]["schemas"]
    assert all(re.fullmatch(r"[A-Z][A-Za-z0-9]*", name) for name in schemas)
    assert len({name.lower() for name in schemas}) == len(schemas)
    assert not [name for name, schema in schemas.items() if "title" in schema]
    for part in _parts(DOCUMENT):
        if part.get("format") == "uuid":
            assert "maxLength" not in part
        assert not ("anyOf" in part and "format" in part), part


def test_every_parameter_is_described() -> None:
    silent = [
        (name, part["name"])
        for name, operation in OPERATIONS.items()
        for part in map(target, operation["parameters"])
        if not part.get("description")
    ]
    assert silent == []


def test_answers_that_several_operations_have_are_shared() -> None:
    inline: dict[str, list[str]] = {}
    for name, operation in OPERATIONS.items():
        for status, part in operation["responses"].items():
            if "$ref" not in part and int(status) >= 400:
                inline.setdefault(json.dumps(part), []).append(name)
    assert not [names for names in inline.values() if len(names) > 1 and "read_health" not in names]


def test_every_tag_is_described() -> None:
    for tag in DOCUMENT["tags"]:
        assert tag["description"] != tag["name"], tag


def test_every_enumeration_has_one_name() -> None:
    """Generators of clients number models that are written out where they are used."""
    components = DOCUMENT["components"]["schemas"]
    named = [tuple(s["enum"]) for s in components.values() if len(s.get("enum", ())) >= 3]
    assert len(named) > 30
    assert set(SHARED) <= set(components), "a shared name stands where there is no enumeration"
    assert [values for values, count in Counter(named).items() if count > 1] == []
    used = {name: schema for name, schema in components.items() if "enum" not in schema}
    text = json.dumps([used, DOCUMENT["paths"]])
    inline = re.findall(r'"enum": (\["[^]]*", "[^]]*"\])', text)
    assert inline == []
