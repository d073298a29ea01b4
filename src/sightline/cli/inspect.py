"""`inspect`: runs one parser on one local file and prints its result as JSON, for work on parsers."""

import typer

from sightline.cli.inspect_board import board
from sightline.cli.inspect_feed import feed
from sightline.cli.inspect_filing import filing
from sightline.cli.inspect_page import page
from sightline.cli.inspect_signals import signals
from sightline.cli.inspect_titles import titles

app = typer.Typer(
    no_args_is_help=True, help="Run one parser on a local file and print what it found as JSON."
)


@app.callback()
def main() -> None:
    """Run one parser on a local file and print what it found as JSON."""


app.command()(filing)
app.command()(feed)
app.command()(board)
app.command()(page)
app.command()(signals)
app.command()(titles)
