"""The console script `sightline`."""

import gc
import os
import sys

from sightline.kit.collector import collect_seldom


def main() -> None:
    """Run the command that the command line names."""
    # The products here are small, and after each the other threads of numpy spin for a while: 45 ms of CPU
    # for a search of evidence.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    collect_seldom()
    if sys.argv[1:2] == ["match"]:
        from sightline.cli.match_rows import run_plain

        # Loading the command-line library takes as long as matching a thousand rows.
        if run_plain(sys.argv[2:]):
            # Else the end of the process would look for cycles among all that is left.
            gc.freeze()
            return
    from sightline.cli.commands import app

    app(prog_name="sightline")
