"""OpenTelemetry traces, if the operator configures a collector.

A request and the work that it asked for are one trace, whose number is the request's id. Without a collector
a span costs one function call. The exporter opens connections of its own, to that collector alone.
"""

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any
from uuid import UUID

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace.export import SpanExporter

_SPAN_BITS = 64
_tracer: Any = None  # of this process; set once, where it begins


class TracingIsNotInstalled(RuntimeError):
    """The extra `tracing` is missing."""


def begin_tracing(collector: str | None, service: str) -> None:
    """Send spans of this process to a collector (OTLP over HTTP) from now on; nothing without one. Raises
    TracingIsNotInstalled."""
    if collector is None:
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        words = "Traces need the extra `tracing`: pip install sightline[tracing]."
        raise TracingIsNotInstalled(words) from error
    _begin(BatchSpanProcessor(OTLPSpanExporter(endpoint=collector)), service)


def trace_into(exporter: "SpanExporter | None") -> None:
    """Give each span to an exporter as it ends; None: no spans any more."""
    global _tracer
    if exporter is None:
        _tracer = None
        return
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor

    _begin(SimpleSpanProcessor(exporter), "sightline")


def _begin(processor: Any, service: str) -> None:
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider

    global _tracer
    provider = TracerProvider(resource=Resource.create({"service.name": service}))
    provider.add_span_processor(processor)
    _tracer = provider.get_tracer("sightline")


def span(
    name: str, *, request_id: str | None = None, **attributes: Any
) -> AbstractContextManager[Any]:
    """A span around a block, below the one that is open here, or in the trace of a request."""
    if _tracer is None:
        return nullcontext()
    context = _of_request(request_id) if request_id else None
    given = {key: str(value) for key, value in attributes.items() if value is not None}
    if request_id:
        given["request_id"] = request_id
    found: AbstractContextManager[Any] = _tracer.start_as_current_span(
        name, context=context, attributes=given
    )
    return found


def _of_request(request_id: str) -> "Context | None":
    """The trace of a request, whichever process it is met in; None where the id is not a number."""
    from opentelemetry.trace import (
        NonRecordingSpan,
        SpanContext,
        TraceFlags,
        set_span_in_context,
    )

    try:
        number = UUID(request_id).int
    except ValueError:
        return None
    parent = SpanContext(
        number,
        number & (1 << _SPAN_BITS) - 1,
        is_remote=True,
        trace_flags=TraceFlags(TraceFlags.SAMPLED),
    )
    return set_span_in_context(NonRecordingSpan(parent))
