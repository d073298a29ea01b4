"""Shakes a whole installation and looks for anything lost, done twice, or never done.

    make chaos ARGS="--kills 300 --seed 7"

API and worker processes run on an embedded database behind a proxy. Clients write and enrich under
Idempotency-Keys, and a source hangs, lies and floods. All the while processes are killed with SIGKILL
(API, worker, parser, any process of PostgreSQL, its supervisor), the proxy is slow, resets connections or
swallows what they say, the clocks of nodes and of the database jump, and the disk of the database fills
up. Then it is calm, everything is asked for once more, and all that was answered must be so: operations
ended once, credits and ledger agree, each request had one effect and one answer, each event its alert and
each alert its message, signed and as it was written. Prints one line of JSON; exits 1 on any anomaly.
`--seed` repeats what is asked and what is done to it; the timing differs. A short run is among the tests.
"""

import argparse
import asyncio
import json
import os
import secrets
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from sightline.kit.postgres import EmbeddedPostgres
from sightline.store.migrate import migrate
from tests.chaos.clock import Clock, make_library, under_clock
from tests.chaos.disk import Disk, small_disk
from tests.chaos.stack import prepare_forks
from tests.chaos.storm import Installation, Report, run


@contextmanager
def prepared(folder: Path, report: Report) -> Iterator[Installation]:
    """A migrated database that is stopped, on a small disk of its own, and clocks that jump where that
    is possible."""
    library = make_library(folder)
    clocks = [Clock(folder / name, library) for name in ("nodes", "database")] if library else []
    with small_disk(folder / "disk") as disk:
        data = folder / "disk" / "data"
        server = EmbeddedPostgres(data)
        with server:
            migrate(server.url)
            urls = [server.login_url(role) for role in ("sightline_app", "sightline_worker")]
            owner = server.url
        binaries = server.binary("postgres").parent.parent
        if clocks:
            binaries = under_clock(binaries, folder / "programs", clocks[1])
        else:
            report.left_out.append("jumps of the clock: there is no C compiler")
        if disk is None:
            report.left_out.append("a full disk: this user may mount nothing")
        yield Installation(server, binaries, owner, urls[0], urls[1], clocks, disk or Disk(None))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, help="of what is asked and what is done")
    asked = parser.parse_args()
    seed = secrets.randbelow(1_000_000) if asked.seed is None else asked.seed
    print(f"seed {seed}", file=sys.stderr)
    report = Report(seed)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))
    with tempfile.TemporaryDirectory(prefix="sightline-chaos-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        with prepared(folder, report) as installation:
            if installation.clocks:
                # The programs that are forked from now on; this one has its own clock.
                os.environ.update(installation.clocks[0].environment)
            prepare_forks(folder / "programs.log")
            asyncio.run(run(installation, folder, report, kills=asked.kills))
    print(json.dumps(asdict(report)))
    sys.exit(1 if report.anomalies else 0)


if __name__ == "__main__":
    main()
