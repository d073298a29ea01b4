"""The console script `sightline`."""

import gc
import os
import sys


def main() -> None:
    """Run the command that the command line names."""
    if sys.argv[1:2] == ["match"]:
        from sightline.cli.match_rows import run_plain

        # Matching multiplies no matrices: threads for it would only be started and stopped.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        # Loading the command-line library takes as long as matching a thousand rows.
        if run_plain(sys.argv[2:]):
            # Else the end of the process would look for cycles among all that is left.
            gc.freeze()
            return
    from sightline.cli.commands import app

    app(prog_name="sightline")
