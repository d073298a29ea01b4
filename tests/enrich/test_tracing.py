"""A request, the enrichment that it asked for, its sources and a model are one trace of the request's id."""

import asyncio
import gzip
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from uuid import UUID

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic_ai.models.test import TestModel

from sightline.api.endpoint import Services
from sightline.api.server import create_server
from sightline.domain.callers import OrganizationId
from sightline.kit import tracing
from sightline.kit.tracing import begin_tracing, span, trace_into
from sightline.llm import asking
from sightline.llm.models import ModelConfig
from sightline.store.credits import grant
from sightline.store.database import Database
from tests.api.asking import GOOD, SEARCH, chat_path, says, store_company
from tests.assistant.provider import Provider
from tests.conftest import Tenant
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
        await grant(connection, credit="company", amount=20, reason="test")
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


@dataclass
class Collector:
    """What takes spans by OTLP over HTTP, as a collector of the operator's does."""

    address: str = ""
    requests: list[ExportTraceServiceRequest] = field(default_factory=list)

    def spans(self, request_id: str) -> list[tuple[str, Span]]:
        """Service and span of each of a request's trace."""
        return [
            (service.value.string_value, span)
            for request in self.requests
            for resource in request.resource_spans
            for service in resource.resource.attributes
            if service.key == "service.name"
            for scope in resource.scope_spans
            for span in scope.spans
            if UUID(bytes=span.trace_id) == UUID(request_id)
        ]


@pytest.fixture
def collector() -> Iterator[Collector]:
    found = Collector()

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["content-length"]))
            if self.headers.get("content-encoding") == "gzip":
                content = gzip.decompress(content)
            found.requests.append(ExportTraceServiceRequest.FromString(content))
            self.send_response(200)
            self.send_header("content-type", "application/x-protobuf")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    thread = Thread(target=server.serve_forever)
    thread.start()
    found.address = f"http://127.0.0.1:{server.server_port}/v1/traces"
    yield found
    trace_into(None)
    server.shutdown()
    thread.join()
    server.server_close()


async def test_a_collector_is_sent_the_trace_of_an_enrichment_and_of_a_question(
    services: Services,
    tenant: Tenant,
    drain: Drain,
    database: Database,
    database_url: str,
    model: Provider,
    collector: Collector,
) -> None:
    async with database.tenant(tenant.organization_id) as connection:
        for credit in ("company", "content"):
            await grant(connection, credit=credit, amount=20, reason="test")
    company = await store_company(database, database_url, tenant.organization_id)
    model.script = [SEARCH, says(GOOD)]
    begin_tracing(collector.address, "sightline-api")
    transport = httpx.ASGITransport(app=create_server(replace(services, model=model.config())))
    async with httpx.AsyncClient(
        transport=transport,
        base_url="http://sightline.test",
        headers={"x-api-key": tenant.key},
    ) as client:
        enriched = await client.post(f"{V1}/companies", json={"domain": "harbor.example"})
        await drain()
        asked = await client.post(chat_path(company), json={"message": "How many warehouses?"})
    assert (enriched.status_code, asked.status_code) == (202, 200), asked.text
    await asyncio.to_thread(tracing._tracer.span_processor.force_flush)
    trace = collector.spans(enriched.headers["x-request-id"])
    assert {service for service, _ in trace} == {"sightline-api"}
    by_name = {span.name: span for _, span in trace}
    assert {"submit_company", "enrichment", "source"} <= set(by_name)
    assert by_name["source"].parent_span_id == by_name["enrichment"].span_id
    assert by_name["enrichment"].end_time_unix_nano > by_name["enrichment"].start_time_unix_nano
    by_name = {span.name: span for _, span in collector.spans(asked.headers["x-request-id"])}
    assert by_name["model"].parent_span_id == by_name["chat"].span_id
    assert "warehouses" not in str(by_name["model"])


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
