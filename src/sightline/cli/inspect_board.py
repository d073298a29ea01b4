"""`inspect board`: the postings in one response of a job board."""

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from sightline.cli.exits import USAGE, CommandFailed, one_line_errors
from sightline.cli.output import print_json


def board(
    file: Annotated[
        Path, typer.Argument(help="Response of a job board: JSON, XML or HTML; also gzip.")
    ],
    kind: Annotated[
        str | None,
        typer.Option("--kind", help="The board's system; otherwise recognized from the content."),
    ] = None,
    url: Annotated[str | None, typer.Option("--url", help="URL of the response.")] = None,
    offset: Annotated[
        int, typer.Option("--offset", min=0, help="Number of rows on the pages before it.")
    ] = 0,
    collapse: Annotated[
        bool, typer.Option("--collapse", help="Show a job listed several times only once.")
    ] = False,
) -> None:
    """Read the postings in a job board's response.

    Prints the postings, the board's own count, and whether the response is provably complete. A
    response of an unknown board has no postings and is not complete; the notes say why.
    """
    with one_line_errors():
        # Parsers are loaded when they are needed: `sightline --help` should not wait for them.
        from sightline.cli.inspect_files import body_of, parsed
        from sightline.domain.reposts import jobs_of, one_job
        from sightline.sources.boards.answers import parse_board
        from sightline.sources.boards.registry import BOARDS

        if kind is not None and kind not in BOARDS:
            known = ", ".join(BOARDS)
            raise CommandFailed(f"There is no kind {kind}. Known: {known}.", code=USAGE)
        page = parsed(file, partial(parse_board, offset=offset), body_of(file, url), kind)
        if collapse:
            postings = [
                {**asdict(one_job(job)), "external_ids": [each.external_id for each in job]}
                for job in jobs_of(page.postings)
            ]
        else:
            postings = [asdict(posting) for posting in page.postings]
        print_json(
            {
                "kind": page.kind,
                "complete": page.complete,
                "total": page.total,
                "next": asdict(page.next) if page.next else None,
                "postings": postings,
                "notes": list(page.notes),
            }
        )
