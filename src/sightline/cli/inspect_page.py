"""`inspect page`: the facts on one page of a company's website."""

from collections import Counter
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sightline.cli.exits import USAGE, CommandFailed, one_line_errors
from sightline.cli.output import print_json

if TYPE_CHECKING:
    from sightline.domain.evidence import Body
    from sightline.sources.website.page import PageReading


def page(
    file: Annotated[Path, typer.Argument(help="A page as served; also gzip.")],
    url: Annotated[
        str | None,
        typer.Option("--url", help="Its URL; default: the one the page gives."),
    ] = None,
    header: Annotated[
        list[str] | None,
        typer.Option("--header", help="A response header, 'Name: value'; may be repeated."),
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Print the main text as well.")] = False,
) -> None:
    """Read one page of a website.

    Prints title, language, date, what is wrong with it if anything, the facts with the place each was
    read at, links by role, technologies and a summary of its structured data. For a file that is
    not a web page, the notes say so and there are no facts.
    """
    with one_line_errors():
        # Parsers are loaded when they are needed: `sightline --help` should not wait for them.
        from sightline.cli.inspect_files import body_of, parsed

        headers = _headers(header or [])
        media_type, _, parameters = headers.get("content-type", "").partition(";")
        body = replace(
            body_of(file, url),
            media_type=media_type.strip().lower(),
            charset=_charset(parameters),
            headers=headers,
            fetched_at=datetime.now(UTC),
        )
        print_json(parsed(file, _read, body, text))


def _read(body: "Body", with_text: bool) -> dict[str, Any]:
    from sightline.sources.bodies import unpacked
    from sightline.sources.website.page import read_page

    packed = unpacked(body.content)
    body = replace(body, content=packed.value)
    reading = read_page(body)
    if not body.url and reading.canonical:
        body = replace(body, url=reading.canonical)
        reading = read_page(body)
    shown = _shown(reading, body.url, with_text=with_text)
    return {**shown, "notes": [*packed.notes, *shown["notes"]]}


def _headers(given: list[str]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for line in given:
        name, colon, value = line.partition(":")
        if not colon or not name.strip():
            raise CommandFailed(f"A header is written 'Name: value', not {line!r}.", code=USAGE)
        key = name.strip().lower()
        headers[key] = f"{headers[key]}, {value.strip()}" if key in headers else value.strip()
    return headers


def _charset(parameters: str) -> str | None:
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset" and value.strip():
            return value.strip().strip("\"'").lower()
    return None


def _shown(reading: "PageReading", url: str, *, with_text: bool) -> dict[str, Any]:
    from sightline.sources.json_ld import types_of

    parsed = reading.parsed
    by_role: dict[str, list[dict[str, str]]] = {}
    for link in parsed.links:
        by_role.setdefault(link.role, []).append({"url": link.url, "text": link.text})
    types = Counter(name for node in reading.structured.nodes for name in types_of(node.data))
    # The page's own day is kept: in UTC an evening's article would move to the next one.
    published = parsed.published_at
    return {
        "url": url or None,
        "canonical_url": reading.canonical,
        "role": reading.role,
        "title": parsed.title,
        "language": parsed.language,
        "published_at": published.isoformat() if published else None,
        "date": published.date().isoformat() if published else None,
        "text_chars": len(parsed.text),
        **({"text": parsed.text} if with_text else {}),
        "problem": asdict(reading.problem) if reading.problem else None,
        "observations": [
            asdict(each) for each in parsed.observations if each.field != "technology"
        ],
        "technologies": [asdict(each) for each in reading.technologies],
        "links": by_role,
        "structured_data": {
            "json_ld": len(reading.structured.json_ld),
            "microdata": len(reading.structured.microdata),
            "opengraph": dict(reading.structured.opengraph),
            "types": dict(types.most_common()),
        },
        "notes": list(parsed.notes),
    }
