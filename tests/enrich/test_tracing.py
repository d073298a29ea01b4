"""A request, the enrichment that it asked for, its sources and a model are one trace of the request's id."""

from collections.abc import Iterator
from uuid import UUID

import httpx
import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic_ai.models.test import TestModel

from sightline.domain.callers import OrganizationId
from sightline.kit.tracing import begin_tracing, span, trace_into
from sightline.llm import asking
from sightline.llm.models import ModelConfig
from sightline.store.credits import grant
from sightline.store.database import Database
from tests.enrich.conftest import Drain

V1 = "/public-api/v1"


@pytest.fixture
def exporter() -> Iterator[InMemorySpanExporter]:
    made = InMemorySpanExporter()
    trace_into(made)
    yield made
    trace_into(None)


def trace_of(found: ReadableSpan) -> UUID:
    assert found.context is not None
    return UUID(int=found.context.trace_id)


async def test_a_request_and_what_it_asked_for_are_one_trace(
    client: httpx.AsyncClient,
    drain: Drain,
    database: Database,
    organization: OrganizationId,
    exporter: InMemorySpanExporter,
) -> None:
    async with database.tenant(organization) as connection:
        await grant(connection, organization, credit="company", amount=20, reason="test")
    answer = await client.post(f"{V1}/companies", json={"domain": "harbor.example"})
    assert answer.status_code == 202, answer.text
    await drain()
    request_id = UUID(answer.headers["x-request-id"])
    spans = [each for each in exporter.get_finished_spans() if trace_of(each) == request_id]
    by_name = {each.name: each for each in spans}
    assert {"submit_company", "enrichment", "source"} <= set(by_name)
    enrichment, source = by_name["enrichment"], by_name["source"]
    assert (enrichment.attributes or {})["request_id"] == str(request_id)
    assert enrichment.context is not None
    assert source.parent is not None
    assert source.parent.span_id == enrichment.context.span_id
    assert "source" in (source.attributes or {})
    others = {each.name for each in exporter.get_finished_spans() if trace_of(each) != request_id}
    assert any(name.startswith("work ") for name in others)


async def test_a_question_to_a_model_stands_below_what_asked(
    exporter: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "open_model", lambda config: TestModel(custom_output_text="Yes."))
    request_id = "01a20f0d-e151-707d-8b3e-7a21563888e7"
    with span("asked", request_id=request_id):
        await asking.ask(ModelConfig("test"), str, instructions="", prompt="Well?", most_tokens=10)
    model, asked = exporter.get_finished_spans()
    assert (model.name, trace_of(model)) == ("model", UUID(request_id))
    assert asked.context is not None
    assert model.parent is not None
    assert model.parent.span_id == asked.context.span_id
    assert "Well?" not in str(model.attributes)


def test_without_a_collector_there_are_no_spans(exporter: InMemorySpanExporter) -> None:
    trace_into(None)
    begin_tracing(None, "sightline-api")
    with span("nothing", request_id="not even an id"):
        pass
    assert exporter.get_finished_spans() == ()


def test_an_id_that_is_no_number_begins_a_trace_of_its_own(exporter: InMemorySpanExporter) -> None:
    with span("imported", request_id="cli"):
        pass
    (found,) = exporter.get_finished_spans()
    assert found.parent is None
    assert (found.attributes or {})["request_id"] == "cli"
