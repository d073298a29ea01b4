"""Invented answers of an invented web."""

from datetime import UTC, datetime

from sightline.domain.evidence import Body, Observation, Parsed
from sightline.sources.website.page import PageReading, read_page

FETCHED = datetime(2026, 1, 31, 12, tzinfo=UTC)


def body(
    content: str | bytes,
    url: str = "https://www.millworks.example/",
    *,
    charset: str | None = None,
    headers: dict[str, str] | None = None,
) -> Body:
    raw = content.encode() if isinstance(content, str) else content
    return Body(url, raw, "text/html", charset, headers or {}, FETCHED)


def read(markup: str, url: str = "https://www.millworks.example/", **headers: str) -> PageReading:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return read_page(body(markup, url, headers=named))


def found(parsed: Parsed, field: str) -> list[Observation]:
    return [each for each in parsed.observations if each.field == field]


def values(parsed: Parsed, field: str) -> list[object]:
    return [each.value for each in found(parsed, field)]


FILLER = "<p>" + "Millworks builds grinding mills for bakeries and farms. " * 12 + "</p>"


def document(main: str, *, head: str = "", footer: str = "", lang: str = "en") -> str:
    return (
        f"<!doctype html><html lang='{lang}'><head><meta charset='utf-8'>{head}</head>"
        f"<body><main>{main}</main><footer>{footer}</footer></body></html>"
    )
