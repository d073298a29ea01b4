"""`inspect feed`: the items of one feed."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from sightline.cli.exits import one_line_errors
from sightline.cli.output import print_json


def feed(
    file: Annotated[Path, typer.Argument(help="A feed: RSS, RDF, Atom or JSON Feed; also gzip.")],
    url: Annotated[
        str | None,
        typer.Option("--url", help="URL of the feed; relative links are resolved against it."),
    ] = None,
) -> None:
    """Read any feed, well-formed or not.

    Prints its format, title and items, and notes on problems. For a file that is not a feed, the
    format is null and there are no items.
    """
    with one_line_errors():
        # Parsers are loaded when they are needed: `sightline --help` should not wait for them.
        from sightline.cli.inspect_files import body_of, parsed
        from sightline.sources.feeds.parse import parse

        found = parsed(file, parse, body_of(file, url))
        print_json(
            {
                "format": found.format,
                "well_formed": found.well_formed,
                "title": found.title,
                "url": found.url,
                "language": found.language,
                "next_url": found.next_url,
                "items": [asdict(item) for item in found.items],
                "notes": list(found.notes),
            }
        )
