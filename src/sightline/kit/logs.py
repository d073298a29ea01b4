"""Log lines on standard error: JSON for machines, or colored text for people."""

import logging
import sys
from typing import Any, TextIO, cast

import structlog


class _StandardError:
    """Whatever standard error is at the moment of writing; a logger outlives a replaced stream."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def configure_logs(level: str, format: str) -> None:
    """Send structlog's lines, and the warnings of libraries, to standard error.

    `level` is debug, info, warning or error; `format` is json or console.
    """
    least = logging.getLevelNamesMapping()[level.upper()]
    renderer: Any = (
        structlog.processors.JSONRenderer() if format == "json" else structlog.dev.ConsoleRenderer()
    )
    stream = cast(TextIO, _StandardError())
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(least),
        logger_factory=structlog.WriteLoggerFactory(stream),
    )
    logging.basicConfig(level=max(least, logging.WARNING), stream=stream)
