"""The console script `sightline`."""

import sys


def main() -> None:
    """Run the command that the command line names."""
    if sys.argv[1:2] == ["match"]:
        from sightline.cli.match_rows import run_plain

        # Loading the command-line library takes as long as matching a thousand rows.
        if run_plain(sys.argv[2:]):
            return
    from sightline.cli.commands import app

    app(prog_name="sightline")
